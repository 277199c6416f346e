// Forward substitution by columns: a phase of it has one row less than the one before, the last has none. In whole numbers modulo
// a prime, so that the order of sums is no matter.
// test: -i n=90 -i l=uniform:lo=0,hi=2003,seed=1 -i x=uniform:lo=0,hi=2003,seed=2
// check: exact
// dispatches: 1
// barriers: 1 a step
void triangular_solve(int n, const int l[n][n], int x[n]) {
    for (int k = 0; k < n; k++) {
#pragma omp parallel for
        for (int i = k + 1; i < n; i++)
            x[i] = (x[i] + (2003 - l[i][k]) * x[k]) % 2003;
    }
}
