// A double that atomics change is in copies of the array, so no other use of it can be right.
// test: -fdouble=pair -i n=16
// error: 11:15: 'sums' is updated under 'atomic' or 'critical' in this loop, and used here by another name
void f(int n, double sums[n], double out[n]) {
    double *first = sums;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        sums[i] += 0.5;
        double x = 0.0;
        x = x + first[i];
        out[i] = x;
    }
}
