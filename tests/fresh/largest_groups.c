// largest_groups.c - the ten largest sums of groups, one after the other, without those that were taken before.
//
// run: -i n=1000000 -i groups=2000 -i key=uniform:lo=0,hi=2000,seed=1 -i value=uniform:lo=1,hi=500,seed=2
// test: -i n=5000 -i groups=700 -i key=uniform:lo=0,hi=700,seed=1 -i value=uniform:lo=1,hi=500,seed=2
// check: exact
// dispatches: 1
#include <stdint.h>

void groups(int n, int groups, const uint16_t key[n], const uint16_t value[n], int64_t sum[groups], int top[10]) {
#pragma omp parallel for
    for (int g = 0; g < groups; g++)
        sum[g] = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        sum[key[i]] += (int64_t)value[i] << 28;
    }
    for (int k = 0; k < 10; k++) {
        int best = -1;
        for (int g = 0; g < groups; g++) {
            int used = 0;
            for (int j = 0; j < k; j++)
                if (top[j] == g) used = 1;
            if (!used && (best < 0 || sum[g] > sum[best])) best = g;
        }
        top[k] = best;
    }
}
