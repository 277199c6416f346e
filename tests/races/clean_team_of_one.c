// A team of one thread has nobody to race with.
// test: -i n=32
void f(int n, float a[n], float b[n], float c[n]) {
#pragma omp parallel num_threads(1)
    {
        a[0] = 1.0f;
        b[0] = a[0] + 1.0f;
    }
}
