// A function of math.h that has no GPU form.
// test: -i n=16
// error: 8:16: 'lgammaf' is not supported; write what it does
#include <math.h>
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        x[i] = lgammaf(x[i]);
    }
}
