// A sum of doubles by another name: each iteration has its own part, and what the name leads to is not changed before the end.
// test: -fdouble=pair -i n=16
// error: 13:24: 'total' is updated under 'atomic' or 'critical' in this loop, and used here by another name
void f(int n, const int x[n], double out[2]) {
    double total = 0;
    int over = 0;
    double *p = &total;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp critical
        {
            total += x[i];
            over += *p > 10;
        }
    }
    out[0] = total;
    out[1] = over;
}
