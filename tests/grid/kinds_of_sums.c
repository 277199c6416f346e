// Sums of several kinds in one loop: what is left of those that go together is combined with the others, for which there
// is as much memory as if all were.
// run: -i n=64 -i m=1024 -i steps=20 -i a=uniform:lo=-1,hi=1,seed=2 -i x=uniform:lo=-1,hi=1,seed=3
// test: -i n=32 -i m=96 -i steps=3 -i a=uniform:lo=-1,hi=1,seed=2 -i x=uniform:lo=-1,hi=1,seed=3
// check: y abs 1e-3
// check: x abs 1e-3
// check: z exact
// dispatches: 1
// barriers: 2 a step
#include <math.h>
void kinds_of_sums(int n, int m, int steps, const float a[n][m], float x[m], float y[n], int z[n]) {
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            float most = -1e30f;
            int s1 = 3, s2 = 1, s3 = 0, s4 = 2, odd = 0, s5 = 0, even = 5;
            float far = 0;
            int s6 = 1;
            float near = -1e30f, least = 1e30f;
#pragma omp simd reduction(max : most, far, near) reduction(+ : s1, s2, s3, s4) reduction(^ : odd, even) reduction(+ : s5, s6) reduction(min : least)
            for (int j = 0; j < m; j++) {
                int k = (int)(a[i][j] * 50.0f);
                most = fmaxf(most, a[i][j] + x[j]);
                s1 += k ^ (j + 8);
                s2 += k ^ (j + 1);
                s3 += k ^ (j + 6);
                s4 += k ^ j;
                odd ^= k + j;
                s5 += k ^ 5;
                even ^= k * j;
                far = fmaxf(far, a[i][j] * x[j]);
                s6 += k ^ (j + 3);
                near = fmaxf(near, a[i][j] - x[j]);
                least = fminf(least, a[i][j]);
            }
            y[i] = 0.5f * y[i] + 0.1f * (most + far + near + least);
            z[i] = z[i] ^ s1 ^ s2 ^ s3 ^ s4 ^ s5 ^ s6 ^ odd ^ even;
        }
#pragma omp parallel for
        for (int j = 0; j < m; j++)
            x[j] = 0.5f * x[j] + 0.1f * y[j % n];
    }
}
