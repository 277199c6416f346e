// The size of malloc is known when the program is compiled, not read from data.
// test: -i n=16
// error: 6:16: known when the program is compiled
#include <stdlib.h>
void f(int n, float x[n], const int size[1]) {
    float *t = malloc((unsigned)size[0] * sizeof(float));
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        t[i] = x[i];
    free(t);
}
