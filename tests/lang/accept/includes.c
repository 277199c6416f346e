// #include of a file of one's own, found beside the program; included twice, guarded.
// test: -i n=16
// check: exact
#include "parts/helper.h"
#include "parts/helper.h"

void lines(int n, float out[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        out[i] = line_at((struct line){0.5f, 1.0f}, (float)i);
}
