// What passes hand on stands in memory: of one array, of two, of two passes back, behind a condition, and where the
// first pass has no one before it.
//
// run: -i x=uniform:lo=-9,hi=9,seed=1 -i flag=uniform:lo=0,hi=5,seed=2 -i sums=uniform:lo=-9,hi=9,seed=3 -i parts=uniform:lo=-9,hi=9,seed=4 -i low=uniform:lo=-9000,hi=9000,seed=5 -i y=uniform:lo=-1,hi=1,seed=6
// test: -i x=uniform:lo=-9,hi=9,seed=1 -i flag=uniform:lo=0,hi=5,seed=2 -i sums=uniform:lo=-9,hi=9,seed=3 -i parts=uniform:lo=-9,hi=9,seed=4 -i low=uniform:lo=-9000,hi=9000,seed=5 -i y=uniform:lo=-1,hi=1,seed=6
// check: near 1e-3
// dispatches: 1
void scan_memory(const int x[2500], const int flag[2500], int sums[2500], int parts[2500], int low[2500],
                 float y[2500], int twice[2500], int either[2500], int out[2500]) {
    int all = 0;
    for (int i = 1; i < 2500; i++) {
        sums[i] += sums[i - 1];
        twice[i] = x[i] + (i > 1 ? twice[i - 1] : 4);
        all += sums[i] ^ twice[i];
        out[i] = all;
    }
#pragma omp parallel for
    for (int i = 0; i < 2500; i++)
        out[i] -= sums[2499 - i];
    for (int i = 1; i < 2500; i++)
        if (flag[i]) parts[i] += parts[i - 1];
    for (int i = 2498; i >= 0; i--)
        if (low[i + 1] < low[i]) low[i] = low[i + 1];
#pragma omp parallel for
    for (int i = 0; i < 2500; i++)
        out[i] += parts[2499 - i] - low[2499 - i];
    for (int i = 2; i < 2500; i++)
        y[i] = (float)x[i] + 0.5f * y[i - 1] - 0.25f * y[i - 2];
    either[0] = 3;
    for (int i = 1; i < 2500; i++)
        if (flag[i] == 2)
            either[i] = x[i];
        else
            either[i] = either[i - 1] + out[i];
#pragma omp parallel for
    for (int i = 0; i < 2500; i++)
        out[i] += either[2499 - i];
}
