// Array parameters: bounds from earlier parameters and from expressions, up to four dimensions, rows passed to functions.
// test: -i n=6 -i m=5 -i w=arange
// check: exact
static float dot(int m, const float a[m], const float *b) {
    float s = 0.0f;
    for (int k = 0; k < m; k++)
        s += a[k] * b[k];
    return s;
}

static float corner(int n, int m, const float w[n][m]) {
    return w[0][0] + w[n - 1][m - 1];
}

void planes(int n, int m, const float w[n][m], float out[n][2][m][3], float total[2 * n + 1]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 2; k++)
            for (int j = 0; j < m; j++)
                for (int c = 0; c < 3; c++)
                    out[i][k][j][c] = w[i][j] * (float)(k + 1) - (float)c;
        total[i] = dot(m, w[i], w[(i + 1) % n]);
        total[n + i] = out[i][1][m - 1][2] + corner(n, m, w);
    }
    total[2 * n] = -1.0f;
}
