// printf in code that runs on the GPU.
// test: -i n=16
// error: 8:9: printf
#include <stdio.h>
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        printf("%d\n", i);
        x[i] = 1.0f;
    }
}
