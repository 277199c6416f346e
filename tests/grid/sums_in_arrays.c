// Few iterations with long sums in small arrays: the gradient of a filter, moments and a covariance, counts of bins.
// Lanes share the loops, each element is a sum of its own.
//
// test: -i n=12 -i m=150 -i side=7 -i steps=3 -i a=uniform:lo=-1,hi=1,seed=1 -i picture=normal:seed=2 -i v=uniform:lo=-3,hi=40,seed=3 -i f=zeros -i spread=zeros -i count=zeros
// check: f abs 1e-3
// check: spread abs 1e-3
// check: count exact
// dispatches: 1
enum { TAP = 3, POINT = 4, BINS = 5 };

void sums_in_arrays(int n, int m, int side, int steps, float a[m][POINT], const float picture[m][side][side],
                    const int v[m][n], float f[n][TAP][TAP], float spread[n][POINT][POINT], int count[n][BINS]) {
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            float slope[TAP][TAP] = {{0.0f}}, mean[POINT] = {0.0f}, c[POINT][POINT] = {{0.0f}};
            int bins[BINS] = {0};
            for (int j = 0; j < m; j++)
                for (int y = 0; y < side - 2; y++)
                    for (int x = 0; x < side - 2; x++)
                        if (picture[j][y + 1][x + 1] > 0.1f * (float)i - 0.5f)
                            for (int p = 0; p < TAP; p++)
                                for (int q = 0; q < TAP; q++)
                                    slope[p][q] += a[j][1] * picture[j][y + p][x + q];
            for (int j = 0; j < m; j++) {
                float weight = (float)(v[j][i] & 7);
                for (int p = 0; p < POINT; p++) {
                    mean[p] += a[j][p];
                    for (int q = 0; q <= p; q++)
                        c[p][q] += weight * a[j][p] * a[j][q];
                }
            }
            for (int j = 0; j < m; j++) {
                bins[0] += v[j][i] + t;
                if (v[j][i] > 20) bins[1]++;
                bins[2] ^= v[j][i] * 77;
                bins[3] = v[j][i] > bins[3] ? v[j][i] : bins[3];
                bins[4] -= j;
            }
            for (int p = 0; p < TAP; p++)
                for (int q = 0; q < TAP; q++)
                    f[i][p][q] += slope[p][q] / (float)m;
            for (int p = 0; p < POINT; p++)
                for (int q = 0; q <= p; q++)
                    spread[i][p][q] += (c[p][q] - mean[p] * mean[q] / (float)m) / (float)m;
            for (int b = 0; b < BINS; b++)
                count[i][b] += bins[b];
        }
#pragma omp parallel for
        for (int j = 0; j < m; j++)
            a[j][j % POINT] = 0.5f * a[j][j % POINT] + 0.01f * spread[j % n][1][0] + 0.001f * f[j % n][1][2];
    }
}
