// What printf returns: not known before the lines are printed.
// test: -i n=16
// error: 8:16: the result of 'printf' is not known on the GPU
#include <stdio.h>
void f(int n, int x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] = printf("%d\n", i);
}
