// Lanes that share the loops around sums, over local arrays, in a loop that data end: entropic transport between point clouds, each pair until its
// marginals fit.
//
// run: -i pairs=512 -i eps=0.02 -i tol=1e-3 -i most=200 -i x=uniform:lo=0,hi=1,seed=1 -i y=uniform:lo=0,hi=1,seed=2 -i p=uniform:lo=0.5,hi=1.5,seed=3
// test: -i pairs=5 -i eps=0.05 -i tol=1e-3 -i most=20 -i x=uniform:lo=0,hi=1,seed=1 -i y=uniform:lo=0,hi=1,seed=2 -i p=uniform:lo=0.5,hi=1.5,seed=3
// check: near 1e-3 except 2%
// check: count abs 2
#include <math.h>

enum { N = 96 };

static float distance2(const float a[2], const float b[2]) {
    return (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]);
}

void transport_pairs(int pairs, float eps, float tol, int most, const float x[pairs][N][2], const float y[pairs][N][2], const float p[pairs][N],
              float f[pairs][N], float g[pairs][N], float cost[pairs], int count[pairs]) {
#pragma omp parallel for
    for (int q = 0; q < pairs; q++) {
        float u[N], v[N], loga[N], total = 0.0f;
        for (int i = 0; i < N; i++)
            total += p[q][i];
        for (int i = 0; i < N; i++) {
            loga[i] = logf(p[q][i] / total);
            u[i] = 0.0f;
            v[i] = 0.0f;
        }
        float logb = -logf((float)N);
        int it = 0;
        for (;;) {
            // the error of the first marginal, and u that makes it right
            float error = 0.0f;
            for (int i = 0; i < N; i++) {
                float top = -1e30f;
                for (int j = 0; j < N; j++)
                    top = fmaxf(top, (v[j] - distance2(x[q][i], y[q][j])) / eps);
                float sum = 0.0f;
                for (int j = 0; j < N; j++)
                    sum += expf((v[j] - distance2(x[q][i], y[q][j])) / eps - top);
                float lse = top + logf(sum);
                error += fabsf(expf(u[i] / eps + lse) - expf(loga[i]));
                u[i] = eps * (loga[i] - lse);
            }
            if ((it > 0 && error < tol) || it >= most)
                break;
            for (int j = 0; j < N; j++) {
                float top = -1e30f;
                for (int i = 0; i < N; i++)
                    top = fmaxf(top, (u[i] - distance2(x[q][i], y[q][j])) / eps);
                float sum = 0.0f;
                for (int i = 0; i < N; i++)
                    sum += expf((u[i] - distance2(x[q][i], y[q][j])) / eps - top);
                v[j] = eps * (logb - top - logf(sum));
            }
            it++;
        }
        float c = 0.0f;
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                float d = distance2(x[q][i], y[q][j]);
                c += d * expf((u[i] + v[j] - d) / eps);
            }
        cost[q] = c;
        count[q] = it;
        for (int i = 0; i < N; i++) {
            f[q][i] = u[i];
            g[q][i] = v[i];
        }
    }
}
