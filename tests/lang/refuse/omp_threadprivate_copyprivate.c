// copyprivate of a threadprivate variable.
// test: -i n=16
// error: 8:32: copyprivate of 'k', which is threadprivate: set it in 'master', and begin the next region with copyin(k)
static int k;
#pragma omp threadprivate(k)
void f(int n, int x[n]) {
#pragma omp parallel
#pragma omp single copyprivate(k)
    k = x[0];
}
