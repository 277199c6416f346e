// The value of the last iteration is wanted, and nothing says so.
// test: -i n=32
void f(int n, float a[n], float b[n], float c[n]) {
    float x = 0.0f;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x = a[i];
    b[0] = x;
}
