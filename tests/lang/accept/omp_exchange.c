// Critical sections that change one word by what it was, and atomic updates by any operator, of small integers, too.
// test: -i n=700 -i x=uniform:lo=0,hi=64,seed=1
// check: exact
#include <stdint.h>
struct mixed {
    float weight;
    int count;
};
static int limit_of(int k) { return 3 + k % 7; }
static void count(uint8_t *bin) {
#pragma omp critical(bin)
    if (*bin < 10) ++*bin;
}

void exchange(int n, const int x[n], uint8_t bytes[64], int16_t shorts[64], int words[64], unsigned products[8],
              struct mixed parts[8], uint8_t sums[8], int out[4]) {
    int steps = 0, turns = 1;
    for (int k = 0; k < 8; k++)
        products[k] = 1u;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int k = x[i], most = limit_of(k);
        count(&bytes[k]);
#pragma omp critical(shorts)
        {
            int at = (k + i) & 63, now = shorts[at];
            if (now > -5) {
                now -= 2;
                shorts[at] = (int16_t)now;
            }
        }
#pragma omp critical(words)
        {
            if (words[k] < most)
                words[k]++;
            else if (words[k] < 100)
                words[k] += 1000;
            steps++;
        }
#pragma omp critical(turns)
        turns = turns % 97 == 0 ? 1 : turns + 1;
#pragma omp atomic
        products[k & 7] *= 3u + 2u * (unsigned)(k & 1);
#pragma omp atomic
        sums[i & 7] += (uint8_t)k;
#pragma omp critical(parts)
        if (parts[k & 7].count < 9) parts[k & 7].count += 3;
    }
    out[0] = steps;
    out[1] = turns;
}
