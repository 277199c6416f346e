// The constants of math.h that ISO C lacks and every compiler has, beside those it has.
// test: -i n=8
// check: exact
#include <math.h>
void constants(int n, float y[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float x = (float)i;
        switch (i) {
        case 0: x = (float)M_PI; break;
        case 1: x = (float)M_PI_2; break;
        case 2: x = (float)M_E; break;
        case 3: x = (float)M_SQRT2; break;
        case 4: x = (float)M_LN2; break;
        case 5: x = INFINITY; break;
        case 6: x = isnan(NAN) ? 1.0f : 0.0f; break;
        }
        y[i] = (float)M_PI_4 * x;
    }
}
