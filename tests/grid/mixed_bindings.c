// More kinds of arrays than a kernel has bindings, so that arrays of floats and of whole numbers stand in one: their copies come in vectors all the
// same, as bits of the other type.
// run: -i n=240 -i m=1024 -i steps=20 -i w=uniform:lo=-1,hi=1,seed=1 -i u=uniform:lo=-9,hi=9,seed=2 -i v=uniform:lo=0,hi=9,seed=3
// test: -i n=24 -i m=512 -i steps=3 -i w=uniform:lo=-1,hi=1,seed=1 -i u=uniform:lo=-9,hi=9,seed=2 -i v=uniform:lo=0,hi=9,seed=3
// check: abs 1e-3
// dispatches: 1
// barriers: 2 a step
void mixed_bindings(int n, int m, int steps, const float w[n][m], const int u[n][m], const unsigned v[n][m], float x[m],
                    int y[m], unsigned z[m], float own[n], int whole[n], unsigned bits[n]) {
    float out[n];
    int sums[n];
    unsigned marks[n];
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            float s = 0;
            int k = 0;
            unsigned b = 0;
#pragma omp simd reduction(+ : s, k) reduction(^ : b)
            for (int j = 0; j < m; j++) {
                s += w[i][j] * x[j];
                k += u[i][j] * y[j];
                b ^= v[i][j] * z[j];
            }
            own[i] = 0.5f * own[i] + 0.01f * s;
            whole[i] = (whole[i] + k) & 1023;
            bits[i] = bits[i] * 3u + b;
            out[i] = own[i];
            sums[i] = whole[i];
            marks[i] = bits[i];
        }
#pragma omp parallel for
        for (int j = 0; j < m; j++) {
            x[j] = 0.5f * x[j] + out[j % n] + 0.1f;
            y[j] = (y[j] + j + sums[(j + 1) % n]) & 15;
            z[j] = (z[j] + (unsigned)j + marks[j * 3 % n]) & 7u;
        }
    }
}
