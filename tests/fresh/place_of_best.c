// test: -i n=257 -i x=uniform:lo=-1,hi=1,seed=1 -i label=uniform:lo=0,hi=40,seed=2
// check: exact
// The best of a row by its place alone: likeliest classes, pivots, places that begin as none, with two indices, of equal ones the
// first or the last, and with NaN; what is stored meanwhile.
#include <math.h>

void place_of_best(int n, const float x[n][n], const int label[n], int top[n], int low[n], int none[n], int pair[n][2],
                   int last[n], float moved[n], int pivot[n], int whole[2]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int at = 0, least = i, found = -1, r = 0, c = 0, end = 0;
        for (int k = 1; k < n; k++)
            if (x[i][k] > x[i][at]) at = k;
        for (int k = 0; k < n; k++) {
            float here = fabsf(x[k][i]);
            if (here < fabsf(x[least][i])) {
                least = k;
                moved[i] = here;
            }
        }
        for (int k = i; k < n; k += 3)
            if (label[k] > 20 && (found < 0 || x[k][i] < x[found][i])) found = k;
        for (int a = i & 3; a < n; a += 29)
            for (int b = 0; b < 7; b++)
                if (x[a][b] > x[r][c]) {
                    c = b;
                    r = a;
                }
        for (int k = 0; k < n; k++)
            if (label[k] >= label[end]) end = k;
        top[i] = at;
        low[i] = least;
        none[i] = found;
        pair[i][0] = r;
        pair[i][1] = c;
        last[i] = end + (i & 1);
    }
    for (int k = 0; k < n; k += 40) { // sequential code, in a loop with a parallel one
        int p = k;
        for (int i = k + 1; i < n; i++)
            if (fabsf(x[i][k]) > fabsf(x[p][k])) p = i;
        pivot[k] = p;
#pragma omp parallel for
        for (int j = 0; j < n; j++)
            if (j != k) pivot[j] = j + p;
    }
    int at = 0, nan = 0;
    for (int k = 1; k < n; k++) {
        float v = k % 5 == 3 ? NAN : x[k][k];
        if (v > x[at][at]) at = k;
        if (sqrtf(x[k][0]) > sqrtf(x[nan][0])) nan = k; // where x[0][0] < 0 none is larger
    }
    whole[0] = at;
    whole[1] = nan;
}
