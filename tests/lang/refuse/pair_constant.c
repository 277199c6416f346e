// A pair of floats has a float's exponents.
// test: -fdouble=pair -i n=4
// error: 7:20: this constant is outside of the range of a pair of floats
void fill(int n, double x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] = i * 1e300;
}
