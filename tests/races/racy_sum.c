// A sum without a reduction.
// test: -i n=32
void f(int n, float a[n], float b[n], float c[n]) {
    float sum = 0.0f;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        sum += a[i];
    b[0] = sum;
}
