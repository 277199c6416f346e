// What a called function reads of an array whose doubles atomics change is another use of it.
// test: -fdouble=pair -i n=16
// error: 6:28: 'sums' is updated under 'atomic' or 'critical' in this loop, and used here by another name
static double sums[9];

static double last(void) { return sums[8]; }

void f(int n, const double x[n], double out[9]) {
    for (int i = 0; i < 9; i++)
        sums[i] = 2.0;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        sums[i & 7] += x[i] * last();
    }
    for (int i = 0; i < 9; i++)
        out[i] = sums[i];
}
