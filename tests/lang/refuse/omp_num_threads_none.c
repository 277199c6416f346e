// A team has a thread.
// test: -i n=16
// error: 5:38: argument to 'num_threads' clause must be a strictly positive integer value
void f(int n, float x[n]) {
#pragma omp parallel for num_threads(0)
    for (int i = 0; i < n; i++)
        x[i] = 1.0f;
}
