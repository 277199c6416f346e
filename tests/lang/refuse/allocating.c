// malloc comes in a later version; an array of the entry does it.
// test: -i n=16
// error: 6:16: malloc
#include <stdlib.h>
void f(int n, float x[n]) {
    float *t = malloc((unsigned)n * sizeof(float));
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        t[i] = x[i];
    free(t);
}
