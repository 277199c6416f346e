// Transforms of rows in arrays of their own, which begin with the bits of their places reversed, and a zigzag: each pass
// of these loops has a place to itself, though no simple function says which.
//
// run: -i rows=256 -i x=normal:seed=4
// test: -i rows=7 -i x=normal:seed=4
// check: near 1e-4
// dispatches: 1
#include <math.h>
enum { BITS = 6, N = 1 << BITS };
void permuted_rows(int rows, const float x[rows][N], float spectrum[rows][N], float around[rows][N]) {
#pragma omp parallel for
    for (int r = 0; r < rows; r++) {
        float re[N], im[N], zigzag[N];
        for (int i = 0; i < N; i++) {
            int to = 0;
            for (int b = 0; b < BITS; b++)
                to |= (i >> b & 1) << (BITS - 1 - b);
            re[to] = x[r][i];
            im[to] = 0;
            zigzag[i & 1 ? N - 1 - i / 2 : i / 2] = x[r][i * 5 % N];
        }
        for (int len = 2; len <= N; len *= 2)
            for (int i = 0; i < N; i += len)
                for (int j = 0; j < len / 2; j++) {
                    float angle = -6.2831853f * (float)j / (float)len, c = cosf(angle), s = sinf(angle);
                    float br = re[i + j + len / 2] * c - im[i + j + len / 2] * s;
                    float bi = re[i + j + len / 2] * s + im[i + j + len / 2] * c;
                    re[i + j + len / 2] = re[i + j] - br;
                    im[i + j + len / 2] = im[i + j] - bi;
                    re[i + j] += br;
                    im[i + j] += bi;
                }
        for (int i = 0; i < N; i++) {
            spectrum[r][i] = sqrtf(re[i] * re[i] + im[i] * im[i]);
            around[r][i] = zigzag[i] - zigzag[(i + 1) % N];
        }
    }
}
