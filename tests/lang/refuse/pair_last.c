// The value of a double after the last iteration.
// test: -fdouble=pair -i n=4
// error: 6:38: lastprivate(last): not of a double as a pair of floats; store it in an array
void keep(int n, const double x[n], double out[1]) {
    double last = 0;
#pragma omp parallel for lastprivate(last)
    for (int i = 0; i < n; i++)
        last = x[i];
    out[0] = last;
}
