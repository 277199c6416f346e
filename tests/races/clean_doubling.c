// A prefix sum that writes to another array in each step.
// test: -i n=32
void f(int n, float a[n], float b[n], float c[n]) {
    for (int d = 1; d < n; d *= 2) {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            b[i] = i >= d ? a[i] + a[i - d] : a[i];
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            a[i] = b[i];
    }
}
