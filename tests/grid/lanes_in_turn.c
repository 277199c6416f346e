// A system of equations that is solved column by column, in plain C between parallel loops: each step changes one
// element, which all lanes load before one of them stores it, and then all others with it.
//
// test: -i n=90 -i rounds=2 -i a=uniform:lo=0,hi=9,seed=1 -i x=uniform:lo=0,hi=99,seed=2 -i y=zeros
// check: exact
// dispatches: 1
void lanes_in_turn(int n, int rounds, const unsigned a[n][n], unsigned x[n], unsigned y[n]) {
    for (int r = 0; r < rounds; r++) {
        for (int k = 0; k < n; k++) {
            x[k] = x[k] * 3 + a[k][k];
            for (int i = k + 1; i < n; i++)
                x[i] -= a[i][k] * x[k];
        }
        for (int k = n - 1; k >= 0; k--) {
            x[k] ^= x[(k + 1) % n] + a[k][k];
            for (int i = 0; i < k; i++)
                x[i] += a[k][i] * x[k];
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            y[i] += x[n - 1 - i] * (i + 1);
    }
}
