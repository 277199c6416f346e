// Functions without a form in pairs are refused by name.
// test: -fdouble=pair -i n=4
// error: 8:16: 'asinh' is not computed in pairs of floats: docs/double.md has those that are
#include <math.h>
void function(int n, double x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] = asinh(x[i]);
}
