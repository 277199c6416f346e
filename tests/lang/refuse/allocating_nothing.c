// malloc of no bytes, for the sizes given.
// test: -i n=16 -i extra=0
// error: 7:19: 'malloc' would take 0 bytes; an array has at least one element
#include <stdlib.h>

void f(int n, int extra, float x[n]) {
    float *more = malloc(extra * sizeof(float));
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] = extra ? more[i % extra] : 0.0f;
    free(more);
}
