// malloc of more elements than an index counts.
// test: -i n=16 -i each=1000000000
// error: 7:21: 'malloc' would take 16000000000 elements of 4 bytes; an array has at most 2147483647
#include <stdlib.h>

void f(int n, int each, float x[n]) {
    float *blocks = malloc((size_t)n * each * sizeof *blocks);
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] = blocks[i];
    free(blocks);
}
