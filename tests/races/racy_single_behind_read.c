// A single changes what slow threads of the loop before still read.
// test: -i n=24
void f(int n, float a[n], float b[n], float c[n]) {
    int k = 1;
#pragma omp parallel num_threads(4)
    {
#pragma omp for nowait
        for (int i = 0; i < n; i++)
            a[i] = b[i] * (float)k;
#pragma omp single
        k = 2;
    }
    c[0] = (float)k;
}
