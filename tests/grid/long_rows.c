// long_rows.c - more rows than a reduction has blocks, each on several lanes; then the largest result and its place.
//
// run: -i n=20000 -i m=64 -i steps=3
// test: -i n=17000 -i m=32 -i steps=2
// run: -i a=uniform:lo=-1,hi=1,seed=1 -i x=uniform:lo=-1,hi=1,seed=2
// test: -i a=uniform:lo=-1,hi=1,seed=1 -i x=uniform:lo=-1,hi=1,seed=2
// check: abs 1e-4
// check: place exact
// dispatches: 1
void long_rows(int n, int m, int steps, const float a[n][m], const float x[m], float y[n], int place[steps],
               float top[steps]) {
    for (int t = 0; t < steps; t++) {
        float most = -1e30f;
        int best = n;
#pragma omp parallel for reduction(max : most)
        for (int i = 0; i < n; i++) {
            float s = 0.0f;
#pragma omp simd reduction(+ : s)
            for (int k = 0; k < m; k++)
                s += a[i][k] * x[k];
            y[i] = t == 0 ? s : y[i] * 0.5f + s * (float)(i % 7);
            most = y[i] > most ? y[i] : most;
        }
#pragma omp parallel for reduction(min : best)
        for (int i = 0; i < n; i++)
            best = y[i] == most && i < best ? i : best;
        place[t] = best;
        top[t] = most;
    }
}
