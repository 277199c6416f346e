// A dependence in a loop for a device.
// test: -i n=24
void f(int n, float a[n], float b[n], float c[n]) {
#pragma omp target teams distribute parallel for map(tofrom : a[:n])
    for (int i = 0; i < n - 1; i++)
        a[i] = a[i + 1] + b[i];
}
