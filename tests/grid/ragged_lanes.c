// Lanes of a subgroup that make loops of their own lengths, of a triangle and of rows whose lengths data say, in a loop
// that goes on from slice to slice: a kernel cannot stop in them, where some lanes have no part.
//
// run: -i n=3000 -i x=normal:seed=1 -i ends=uniform:lo=1,hi=16,seed=2
// test: -i n=21 -i x=normal:seed=1 -i ends=uniform:lo=1,hi=16,seed=2
// check: near 1e-3
// dispatches: 1
// barriers: 1
enum { K = 16, STEPS = 90 };
void ragged_lanes(int n, const float x[n][K][K], const int ends[n][K], float y[n], float z[n],
                  float w[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float a[K][K], s = 1.0f, r = 0.0f;
        for (int j = 0; j < K; j++)
            for (int c = 0; c < K; c++)
                a[j][c] = x[i][j][c];
        for (int t = 0; t < STEPS && s > 1e-6f; t++) {
            s = r = 0.0f;
#pragma omp simd reduction(+ : s)
            for (int j = 0; j < K; j++)
                for (int c = 0; c < j; c++)
                    s += a[j][c] * a[j][c];
#pragma omp simd reduction(+ : r)
            for (int j = 0; j < K; j++)
                for (int c = 0; c < ends[i][j]; c++)
                    r += a[j][c] * a[j][c];
            for (int c = 0; c < K; c++)
                a[t % K][c] *= 0.98f;
        }
        y[i] = s;
        z[i] = r;
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        w[i] = y[n - 1 - i] + z[i];
}
