// Prefix sums by `scan`: the loop is made in order, by one invocation, and inside of an iteration as an ordinary loop.
// test: -i n=40 -i x=uniform:lo=-50,hi=50,seed=1
// check: exact
void scans(int n, const int x[n], int with[n], int without[n], int rows[n][n], int out[2]) {
    int a = 5, b = 0;
#pragma omp parallel for reduction(inscan, + : a)
    for (int i = 0; i < n; i++) {
        a += x[i];
#pragma omp scan inclusive(a)
        with[i] = a;
    }
#pragma omp parallel for simd reduction(inscan, + : b)
    for (int i = 0; i < n; i++) {
        without[i] = b;
#pragma omp scan exclusive(b)
        b += x[i];
    }
    out[0] = a;
    out[1] = b;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int most = -100;
#pragma omp simd reduction(inscan, max : most)
        for (int j = 0; j < n; j++) {
            most = most > x[(i + j) % n] ? most : x[(i + j) % n];
#pragma omp scan inclusive(most)
            rows[i][j] = most;
        }
    }
}
