// malloc in a loop would allocate again in every pass.
// test: -i n=16
// error: 7:22: allocate once
#include <stdlib.h>
void f(int n, float x[n]) {
    for (int t = 0; t < 5; t++) {
        float *tmp = malloc((unsigned)n * sizeof(float));
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            tmp[i] = x[i];
        free(tmp);
    }
}
