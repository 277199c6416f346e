// Products of matrices that begin with what an element was, and a change of each element behind them.
// run: -i n=1000 -i m=600 -i d=500 -i a=uniform:lo=-4,hi=5,seed=1 -i b=uniform:lo=-4,hi=5,seed=2 -i c=uniform:lo=-4,hi=5,seed=3 -i w=uniform:lo=1,hi=9,seed=4
// test: -i n=68 -i m=40 -i d=16 -i a=uniform:lo=-4,hi=5,seed=1 -i b=uniform:lo=-4,hi=5,seed=2 -i c=uniform:lo=-4,hi=5,seed=3 -i w=uniform:lo=1,hi=9,seed=4
// check: exact
// dispatches: 1
void behind_product(int n, int m, int d, const int a[n][d], const int b[d][m], int c[n][m], const int w[2]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) {
            int sum = c[i][j];
            for (int k = 0; k < d; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
        for (int j = 0; j < m; j++) {
            int less = w[0];
            c[i][j] -= less;
        }
    }
}
