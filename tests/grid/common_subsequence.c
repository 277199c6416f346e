// The longest common subsequence of each two rows: two local rows that take turns, which are registers if their loops are unrolled.
// test: -i n=35 -i m=31 -i x=uniform:lo=0,hi=64,seed=1 -i longest=const:0 -i most=const:0
// check: exact
// dispatches: 1
#include <string.h>

static int common(const int *a, const int *b, int m) {
    int before[64] = {0}, now[64];
    memset(now, 0, sizeof now);
    for (int i = 1; i <= m; i++) {
        for (int j = 1; j <= m; j++)
            now[j] = a[i - 1] / 8 == b[j - 1] / 8 ? before[j - 1] + 1 : before[j] > now[j - 1] ? before[j] : now[j - 1];
        memcpy(before, now, sizeof before);
    }
    return before[m];
}

void common_subsequence(int n, int m, const int x[n][m], int longest[n][n], int most[n]) {
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            longest[i][j] = common(x[i], x[j], m);
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        most[i] = 0;
        for (int j = 0; j < n; j++)
            if (j != i && longest[j][i] > most[i]) most[i] = longest[j][i];
    }
}
