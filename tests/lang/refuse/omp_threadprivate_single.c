// A threadprivate variable in a block that some thread runs.
// test: -i n=16
// error: 9:5: 'k' is threadprivate: use it in 'master' instead of 'single'
static int k;
#pragma omp threadprivate(k)
void f(int n, int x[n]) {
#pragma omp parallel
#pragma omp single
    k = x[0];
}
