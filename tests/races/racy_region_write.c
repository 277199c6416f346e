// Every thread of the region writes the variable.
// test: -i n=32
void f(int n, float a[n], float b[n], float c[n]) {
    int k = 0;
#pragma omp parallel num_threads(4)
    {
        k = 3;
#pragma omp for
        for (int i = 0; i < n; i++)
            a[i] = b[i];
    }
    a[0] += (float)k;
}
