// Neighbours may be in other chunks.
// test: -i n=32
void f(int n, float a[n], float b[n], float c[n]) {
#pragma omp parallel for schedule(static, 4)
    for (int i = 4; i < n; i++)
        a[i] = a[i - 4] + 1.0f;
}
