// best_places.c - searches for the best that leave its place: in sequential code between loops, for rows, from either
// end, of equal ones the first or the last, under conditions, with other things that it sets; and one that is none.
//
// test: -i n=301 -i m=3 -i a=uniform:lo=0,hi=9,seed=1 -i x=uniform:lo=-2,hi=2,seed=2
// check: abs 1e-5
#include <math.h>

void best_places(int n, int m, int a[m][n], float x[m][n], int who[m][6], float best[m][3]) {
    for (int r = 0; r < m; r++) {
        float large = -1e30f, low = 1e30f;
        int at = -1, from = -1, none = -1, top = 9;
        for (int i = 0; i < n; i++)
            if (x[r][i] > large) {
                large = x[r][i];
                at = i;
            }
        for (int i = n - 1; i >= 0; i--) {
            float v = fabsf(x[r][i]);
            if (a[r][i] != 3 && v <= low) {
                low = v;
                from = i * 2;
            }
        }
        for (int i = 0; i < n; i++)
            if (a[r][i] > top) { // never
                top = a[r][i];
                none = i;
            }
        who[r][0] = at;
        who[r][1] = from;
        who[r][2] = none;
        best[r][0] = large;
        best[r][1] = low;
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            x[r][i] = i == at ? 0.0f : x[r][i] + (float)(from % 3);
    }
#pragma omp parallel for
    for (int r = 0; r < m; r++) {
        int first = -1, last = -1, most = -1, more = -1, second = -1;
        for (int i = 0; i < n; i++)
            if (a[r][i] > most) {
                most = a[r][i];
                first = i;
            }
        for (int i = 0; i < n; i++)
            if (more <= a[r][i]) {
                more = a[r][i];
                last = i;
            }
        most = -1;
        for (int i = 0; i < n; i++)
            if (a[r][i] > most) {
                second = most; // what the best was
                most = a[r][i];
            }
        who[r][3] = first;
        who[r][4] = last;
        who[r][5] = second;
        best[r][2] = (float)(most + more);
    }
}
