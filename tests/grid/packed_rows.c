// packed_rows.c - rows of numbers that are several in a word: of one, two, four and eight bits, with a scale for each 32, and
// counters that begin in the middle or are shifted, which have no such words in common.
//
// run: -i n=3000 -i m=1024 -i rounds=3
// test: -i n=70 -i m=192 -i rounds=2
// run: -i bits=uniform:lo=0,hi=2147483647,seed=1 -i pairs=uniform:lo=0,hi=2147483647,seed=2 -i nibbles=uniform:lo=0,hi=2147483647,seed=3
// run: -i bytes=uniform:lo=0,hi=255,seed=4 -i scale=uniform:lo=-1,hi=1,seed=5 -i x=uniform:lo=-1,hi=1,seed=6 -i count=zeros -i y=zeros
// test: -i bits=uniform:lo=0,hi=2147483647,seed=1 -i pairs=uniform:lo=0,hi=2147483647,seed=2 -i nibbles=uniform:lo=0,hi=2147483647,seed=3
// test: -i bytes=uniform:lo=0,hi=255,seed=4 -i scale=uniform:lo=-1,hi=1,seed=5 -i x=uniform:lo=-1,hi=1,seed=6 -i count=zeros -i y=zeros
// check: x abs 1e-3
// check: y abs 1e-3
// check: count exact
// dispatches: 1
void packed_rows(int n, int m, int rounds, const unsigned bits[n][m / 32], const int pairs[n][m / 16],
                 const unsigned nibbles[n][m / 8], const unsigned char bytes[n][m / 2], const _Float16 scale[n][m / 32],
                 float x[m], float y[n], int count[n]) {
    for (int r = 0; r < rounds; r++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            float s = 0.0f;
#pragma omp simd reduction(+ : s)
            for (int j = 0; j < m; j++) {
                float by = (float)scale[i][j / 32];
                s += (float)((int)(nibbles[i][j / 8] << (28 - j % 8 * 4)) >> 28) * by * x[j];
            }
            y[i] = s;
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            int ones = 0;
#pragma omp simd reduction(+ : ones)
            for (int j = 0; j < m; j++) {
                unsigned at = (unsigned)j;
                ones += (int)(bits[i][at >> 5] >> (at & 31u) & 1u) * (1 + (pairs[i][j / 16] >> (j & 15) * 2 & 3));
            }
            count[i] += ones;
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            int sum = 0;
#pragma omp simd reduction(+ : sum)
            for (int j = 0; j < m - 64; j++)
                sum += (bytes[i][j / 2] >> j % 2 * 4 & 15) - (int)(nibbles[i][(j + 5) / 8] & 15u) + (pairs[i][j / 12] & 1);
            count[i] -= sum;
        }
#pragma omp parallel for
        for (int j = 0; j < m; j++)
            x[j] = 0.5f * x[j] + 0.001f * y[j % n] + 0.01f * (float)(count[j % n] & 15);
    }
}
