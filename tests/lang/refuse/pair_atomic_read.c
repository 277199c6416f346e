// -fdouble=pair: an array whose elements a function updates by `atomic`, and that the loop reads as well.
// test: -fdouble=pair -i n=16
// error: 10:50: 'a' is updated under 'atomic' or 'critical' in this loop
static void add(double *c, int at, double v) {
#pragma omp atomic
    c[at] += v;
}
void f(int n, const int k[n], double a[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) add(a, k[i], 0.5 * a[0]);
}
