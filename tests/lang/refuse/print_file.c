// Output to a file that is not stdout.
// test: -i n=16
// error: 8:9: output to files other than stdout is not supported
#include <stdio.h>
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        fprintf(stderr, "%d\n", i), x[i] = 1.0f;
}
