// A size that --uniform keeps open is a product with the element's size.
// test: -i n=16 --uniform n
// error: 6:16: --uniform ones in a product with the element's size
#include <stdlib.h>
void f(int n, float x[n]) {
    float *t = malloc(n * sizeof(float) + 64);
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        t[i] = x[i];
    free(t);
}
