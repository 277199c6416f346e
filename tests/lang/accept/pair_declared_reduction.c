// -fdouble=pair: declared reductions of doubles, of a struct that has them beside 64-bit integers, of 64-bit integers.
// test: -fdouble=pair -i n=900 -i x=uniform:lo=-9,hi=9,seed=1
// check: rel 1e-11
#include <math.h>
struct stats { double sum, most; long count; long long weight; };
#pragma omp declare reduction(far : double : omp_out = fabs(omp_in) > fabs(omp_out) ? omp_in : omp_out)
#pragma omp declare reduction(join : struct stats : omp_out.sum += omp_in.sum, omp_out.most = fmax(omp_out.most, omp_in.most), omp_out.count += omp_in.count, omp_out.weight ^= omp_in.weight) initializer(omp_priv = {0, -INFINITY, 0, 0})
#pragma omp declare reduction(mix : long, unsigned long long : omp_out = omp_out * omp_in) initializer(omp_priv = 1)
void f(int n, const double x[n], double out[4], unsigned more[4]) {
    double a = 0;
    struct stats s = {1, 0, 0, 5};
    unsigned long long z = 3;
#pragma omp parallel for reduction(far : a) reduction(join : s) reduction(mix: z)
    for (int i = 0; i < n; i++) {
        if (fabs(x[i]) > fabs(a)) a = x[i];
        s.sum += x[i] * 0.1;
        if (s.most < x[i] * 2) s.most = x[i] * 2;
        s.count++;
        s.weight ^= (long long)i * 10000000019;
        z *= 2 * (unsigned long long)i + 1;
    }
    out[0] = a;
    out[1] = s.sum;
    out[2] = s.most;
    more[0] = (unsigned)s.count;
    more[1] = (unsigned)(s.weight >> 20);
    more[2] = (unsigned)(z >> 32);
    more[3] = (unsigned)z;
    struct stats again = {0, -1, 2, 1};
#pragma omp parallel reduction(join : again) reduction(mix : z)
    {
#pragma omp for
        for (int i = 0; i < n; i++) {
            again.count += (long)i * 100000007;
            again.weight ^= (long long)i << 33;
            again.sum -= x[i];
        }
#pragma omp for
        for (int i = 0; i < n; i += 3) {
            again.count++;
            z *= (unsigned long long)i | 1;
        }
    }
    out[3] = again.sum;
    more[0] += (unsigned)(again.count >> 9);
    more[1] += (unsigned)(again.weight >> 31);
    more[3] += (unsigned)(z >> 7);
}
