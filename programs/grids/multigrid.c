// multigrid.c - Poisson's equation on a line of squares by V-cycles: smooth, go to half as many points, and back.
//
// Source: W. L. Briggs, V. E. Henson, S. F. McCormick, "A Multigrid Tutorial". All levels stand in one array, one after
// the other: level k has side n >> k, from start[k] on. Damped Jacobi smooths.
//
// run: -i n=1024 -i levels=8 -i cycles=10 -i charge=normal:seed=1
// test: -i n=32 -i levels=3 -i cycles=3 -i charge=normal:seed=1
// check: abs 1e-3
// dispatches: 1
// barriers: 2 a sweep
void multigrid(int n, int levels, int cycles, const float charge[n + 1][n + 1], float u[2 * (n + 1) * (n + 1)],
               float f[2 * (n + 1) * (n + 1)], float r[2 * (n + 1) * (n + 1)], float residual[cycles]) {
#pragma omp parallel for
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= n; j++) {
            u[i * (n + 1) + j] = 0.0f;
            f[i * (n + 1) + j] = charge[i][j];
        }
    for (int c = 0; c < cycles; c++) {
        int start = 0;
        for (int level = 0; level < 2 * levels - 1; level++) {
            // Down to the coarsest level, and up again.
            int k = level < levels ? level : 2 * levels - 2 - level;
            int side = n >> k, w = side + 1;
            float h2 = (float)(1 << k) * (float)(1 << k);
            if (level >= levels) {
                int below = side / 2 + 1, coarse = start;
                start -= w * w;
#pragma omp parallel for collapse(2)
                for (int i = 1; i < side; i++)
                    for (int j = 1; j < side; j++) {
                        int a = coarse + i / 2 * below + j / 2, right = j % 2, down = i % 2 * below;
                        u[start + i * w + j] += 0.25f * (u[a] + u[a + right] + u[a + down] + u[a + down + right]);
                    }
            }
            for (int sweep = 0; sweep < 3; sweep++) {
#pragma omp parallel for collapse(2)
                for (int i = 1; i < side; i++)
                    for (int j = 1; j < side; j++) {
                        int a = start + i * w + j;
                        r[a] = h2 * f[a] - 4.0f * u[a] + u[a - 1] + u[a + 1] + u[a - w] + u[a + w];
                    }
#pragma omp parallel for collapse(2)
                for (int i = 1; i < side; i++)
                    for (int j = 1; j < side; j++)
                        u[start + i * w + j] += 0.2f * r[start + i * w + j];
            }
            if (level < levels - 1) {
                int half = side / 2, v = half + 1, coarse = start + w * w;
#pragma omp parallel for collapse(2)
                for (int i = 0; i <= half; i++)
                    for (int j = 0; j <= half; j++) {
                        int a = start + 2 * i * w + 2 * j, b = coarse + i * v + j;
                        u[b] = 0.0f;
                        f[b] = i > 0 && j > 0 && i < half && j < half ? (f[a] * h2 - 4.0f * u[a] + u[a - 1] + u[a + 1] +
                                                                        u[a - w] + u[a + w]) / h2
                                                                      : 0.0f;
                    }
                start = coarse;
            }
        }
        float most = 0.0f;
#pragma omp parallel for reduction(max : most)
        for (int i = 1; i < n; i++)
            for (int j = 1; j < n; j++) {
                int a = i * (n + 1) + j;
                float left = f[a] - 4.0f * u[a] + u[a - 1] + u[a + 1] + u[a - n - 1] + u[a + n + 1];
                left = left < 0.0f ? -left : left;
                if (left > most) most = left;
            }
        residual[c] = most;
    }
}
