// The same name twice in one block.
// test: -i n=16
// error: 8:15: redefinition of 'k'
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int k = 1;
        float k = 2.0f;
        x[i] = k;
    }
}
