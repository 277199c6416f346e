// A threadprivate variable in a block that some thread runs.
// test: -i n=16
// error: 9:5: 'k' is threadprivate, and nobody knows which thread runs a 'single': use 'master'
static int k;
#pragma omp threadprivate(k)
void f(int n, int x[n]) {
#pragma omp parallel
#pragma omp single
    k = x[0];
}
