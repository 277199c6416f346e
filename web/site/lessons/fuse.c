// fuse.c - four element-wise loops, one after the other, as an array language runs them.
//
// Each loop is little work and much traffic: it reads an array of 64 MB and writes one. As four dispatches the data
// passes through memory eight times; joined into one, twice.
//
// run: -i n=16777216 -i x=normal:seed=1 -i scale=0.5 -i shift=0.25
// test: -i n=262144 -i x=normal:seed=1 -i scale=0.5 -i shift=0.25
// check: rel 1e-5
#include <math.h>

void fuse(int n, float scale, float shift, const float x[n], float y[n]) {
    float a[n], b[n], c[n];
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = x[i] * scale;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        b[i] = a[i] + shift;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        c[i] = fmaxf(b[i], 0.0f);
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        y[i] = c[i] * c[i];
}
