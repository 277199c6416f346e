// A function of the library's name and another type: the library's own declaration has no line that anybody can look at.
// test: -i n=16
// error: 5:14: conflicting types for 'round': 'float (float)' here
#include <math.h>
static float round(float x) { return x + 0.5f; }
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] = round(x[i]);
}
