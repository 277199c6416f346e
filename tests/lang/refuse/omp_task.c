// A task is an iteration of a parallel loop.
// test: -i n=16
// error: 9:13: task
void f(int n, float x[n]) {
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp task
            x[0] = (float)n;
        }
    }
}
