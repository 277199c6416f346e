// Arrays of complex numbers that come from outside are arrays of structs of two numbers.
// test: -i n=32 -i x=uniform:lo=0.1,hi=2,seed=1
// check: rel 1e-5
#include <complex.h>

void transform(int n, const float complex x[n], float complex y[n]) {
#pragma omp parallel for
    for (int k = 0; k < n; k++) {
        float complex sum = 0;
        for (int j = 0; j < n; j++)
            sum += x[j] * cexpf(-6.2831853f * I * (float)((j * k) % n) / (float)n);
        y[k] = sum;
    }
}
