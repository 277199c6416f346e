// Two singles without a wait between them may be two threads.
// test: -i n=32
void f(int n, float a[n], float b[n], float c[n]) {
#pragma omp parallel num_threads(4)
    {
#pragma omp single nowait
        a[0] += 1.0f;
#pragma omp single
        a[0] += 2.0f;
    }
}
