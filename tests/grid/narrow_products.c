// Products of matrices of 16-bit floats and 8-bit numbers, which a workgroup copies into its memory as whole words; from
// the middle of an array, too, and with sizes that tiles do not fit.
//
// test: -i n=132 -i m=68 -i rounds=2 -i half=uniform:lo=-1,hi=1,seed=1 -i small=uniform:lo=-9,hi=9,seed=2 -i bytes=uniform:lo=0,hi=5,seed=3 -i x=uniform:lo=-1,hi=1,seed=4 -i sums=zeros
// check: x abs 1e-4
// check: sums exact
// dispatches: 1
void narrow_products(int n, int m, int rounds, const _Float16 half[2][m][m], const signed char small[m][n],
                     const unsigned char bytes[n][m], float x[n][m], int sums[n][n]) {
    float y[n][m]; // only the copies read it
    for (int r = 0; r < rounds; r++) {
#pragma omp parallel for collapse(2)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                float s = 0.0f;
                for (int k = 0; k < m; k++)
                    s += x[i][k] * half[1][j][k];
                y[i][j] = s + (float)half[0][j][r];
            }
#pragma omp parallel for collapse(2)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                int s = 0;
                for (int k = 0; k < m; k++)
                    s += bytes[i][k] * small[k][j];
                sums[i][j] += s;
            }
#pragma omp parallel for collapse(2)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                float s = 0.0f;
                for (int k = 0; k < m; k++)
                    s += y[i][k] * half[0][k][j];
                x[i][j] = 0.5f * x[i][j] + 0.01f * s + 0.001f * (float)(sums[i][j] % 7);
            }
    }
}
