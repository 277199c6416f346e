// recurrences.c - sums so far, places in a list and a filter, each in sequential code or one iteration for a row, and
// loops that need them.
//
// with --portable: -i n=2100 -i rounds=2 -i a=uniform:lo=0,hi=9,seed=1 -i x=uniform:lo=-1,hi=1,seed=2
// test: -i n=300 -i rounds=2 -i a=uniform:lo=0,hi=9,seed=1 -i x=uniform:lo=-1,hi=1,seed=2
// check: abs 1e-4
// dispatches: 1
// barriers: 2 a round
void recurrences(int n, int rounds, int a[n], float x[3][n], int start[n], int list[n], float y[3][n],
                 int count[rounds]) {
    for (int r = 0; r < rounds; r++) {
        int sum = 0, k = 0;
        for (int i = 0; i < n; i++) {
            start[i] = sum;
            sum += a[i];
            if (a[i] > 5) list[k++] = i;
        }
        count[r] = k;
#pragma omp parallel for
        for (int row = 0; row < 3; row++) {
            float now = 0, before = 0;
            for (int i = 0; i < n; i++) {
                float next = x[row][i] + 0.9f * now - 0.3f * before;
                before = now;
                now = next;
                y[row][i] = next;
            }
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            a[i] = (a[i] + start[n - 1 - i]) % 10;
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            x[0][i] = 0.5f * y[1][n - 1 - i] + (float)a[i] * 0.01f;
    }
}
