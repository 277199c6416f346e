// A pointer to int is no pointer to float.
// test: -i n=16
// error: 8:20: incompatible
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int k = i;
        float *p = &k;
        x[i] = *p;
    }
}
