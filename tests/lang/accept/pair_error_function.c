// Doubles as pairs of floats: the error function, in all of its ranges, and prices of options, which need it.
// test: -fdouble=pair -i n=200 -i x=uniform:lo=-7,hi=7,seed=1 -i y=zeros -i z=zeros -i price=zeros
// check: rel 1e-11
#include <math.h>

static double normal(double d) { return 0.5 * erfc(-d * M_SQRT1_2); }

void error_function(int n, const double x[n], double y[n], double z[n], double price[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double spot = 100 + 5 * x[i], strike = 100, years = 0.5, rate = 0.03, spread = 0.25 * sqrt(years);
        double d = (log(spot / strike) + rate * years) / spread + 0.5 * spread;
        y[i] = erf(x[i]);
        z[i] = erfc(x[i]);
        price[i] = spot * normal(d) - strike * exp(-rate * years) * normal(d - spread);
    }
}
