// An element whose index is loaded from its own row, and is always the same.
// test: -i n=40 -i m=1 -i a=uniform:lo=-9,hi=10,seed=1
// check: exact
void nested_index(int n, int m, const int a[n], int h[n][m], int k[n][3]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        h[i][m - 1] = a[i];
        h[i][(h[i][m - 1] & 7) % m] += 1;
        for (int j = 0; j < 3; j++) {
            k[i][1] = a[i] + j;
            k[i][(k[i][1] & 0) + 1] += k[i][2 - (k[i][1] & 0)];
        }
    }
}
