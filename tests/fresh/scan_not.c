// scan_not.c - what a pass takes from the one before by more than sums and factors, and what it takes from memory.
//
// test: -i n=900 -i m=2 -i x=uniform:lo=0.1,hi=0.9,seed=1 -i key=uniform:lo=0,hi=9,seed=2
// check: abs 1e-4
#include <stdint.h>

void scan_not(int n, int m, const float x[m][n], const int key[m][n], float y[m][n], int p[m][n], int q[m][n],
              int ends[m][6]) {
#pragma omp parallel for
    for (int r = 0; r < m; r++) {
        float e = 0.3f;
        int capped = 0, folded = 1, guarded = 0, turns = 0, stopped = 0;
        for (int t = 0; t < n; t++) {
            e = 0.5f * e * (1.0f - e) + 0.1f * x[r][t]; // twice itself
            y[r][t] = e;
            if (capped < 100) capped++; // its condition
            folded = (folded * 5 + key[r][t]) & 1023;
            if (folded > 500) guarded += key[r][t]; // another's condition
            for (int k = key[r][t] + guarded % 3; k > 0; k--)
                turns += k & 1; // the number of passes
            p[r][t] = turns;
        }
        for (int t = 0; t < n && stopped < 40; t++) {
            stopped += key[r][t] & 1; // nobody knows how many passes
            p[r][t] += stopped;
        }
        int sum = 0;
        for (int t = 0; t < n; t++) {
            p[r][t] = p[r][t] * 2 + key[r][t];
            sum += p[r][t]; // as it was stored just before
            q[r][t] = sum;
        }
        int far = 0;
        for (int t = 2; t < n; t++) {
            far += q[r][t - 2] & 3; // as the pass before the last one stored it
            q[r][t] = far;
        }
        ends[r][0] = capped;
        ends[r][1] = folded;
        ends[r][2] = guarded;
        ends[r][3] = stopped;
        ends[r][4] = sum;
        ends[r][5] = far;
    }
}
