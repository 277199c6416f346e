// Collatz: the number of steps that each start takes to 1, the longest one, and the smallest start that needs it.
// run: -i n=1000000
// test: -i n=3000
// check: exact
#include <stdint.h>

static int length(uint32_t x) {
    int steps = 0;
    while (x > 1u) {
        if (x & 1u) {
            if (x > (0xffffffffu - 1u) / 3u)
                return -1;
            x += (x >> 1) + 1u; // (3 x + 1) / 2
            steps += 2;
        } else {
            x >>= 1;
            steps++;
        }
    }
    return steps;
}

void collatz(int n, int steps[n], int record[2]) {
    int longest = -1, first = n;
#pragma omp parallel
    {
#pragma omp for reduction(max : longest)
        for (int i = 0; i < n; i++) {
            steps[i] = length((uint32_t)i + 1u);
            if (steps[i] > longest)
                longest = steps[i];
        }
#pragma omp for reduction(min : first)
        for (int i = 0; i < n; i++)
            if (steps[i] == longest && i < first)
                first = i;
    }
    record[0] = longest;
    record[1] = first + 1;
}
