// Two loops for a device, one after the other.
// test: -i n=24
void f(int n, float a[n], float b[n], float c[n]) {
#pragma omp target teams distribute parallel for map(tofrom : a[:n])
    for (int i = 0; i < n; i++)
        a[i] = b[i];
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        c[i] = a[n - 1 - i];
}
