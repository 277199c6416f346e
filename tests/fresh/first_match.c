// first_match.c - for each of few needles the first place in a text where it stands, and how long it took to find out.
//
// run: -i n=200000 -i m=64 -i text=uniform:lo=0,hi=4,seed=1 -i needle=uniform:lo=0,hi=4,seed=2
// test: -i n=5000 -i m=9 -i text=uniform:lo=0,hi=4,seed=1 -i needle=uniform:lo=0,hi=4,seed=2
// check: exact
// dispatches: 1
#include <stdint.h>
#define L 5

void first(int n, int m, const uint8_t text[n], const uint8_t needle[m][L], int place[m], int tried[m]) {
#pragma omp parallel for
    for (int k = 0; k < m; k++) {
        place[k] = -1;
        int count = 0;
        for (int i = 0; i + L <= n; i++) {
            int same = 1;
            for (int j = 0; j < L; j++)
                if (text[i + j] != needle[k][j]) same = 0;
            if (same) {
                place[k] = i;
                count = i + 1;
                break;
            }
        }
        tried[k] = count;
    }
}
