// Every thread of the region writes an element.
// test: -i n=32
void f(int n, float a[n], float b[n], float c[n]) {
#pragma omp parallel num_threads(4)
    {
        a[0] = 1.0f;
#pragma omp for
        for (int i = 0; i < n; i++)
            b[i] = c[i];
    }
}
