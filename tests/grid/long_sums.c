// Few sums of many: what columns of a matrix have in common, then the columns are changed by it, again and again; what is said of four parts of it.
// with --portable: -i rows=1024 -i columns=64 -i rounds=2 -i a=normal:sd=0.1,seed=1 -i q=uniform:lo=0,hi=255,seed=2 -i g=const:0 -i c=const:0 -i power=const:0 -i least=const:0 -i odd=const:0
// test: -i rows=40 -i columns=12 -i rounds=2 -i a=normal:sd=0.1,seed=1 -i q=uniform:lo=0,hi=255,seed=2 -i g=const:0 -i c=const:0 -i power=const:0 -i least=const:0 -i odd=const:0
// check: a abs 1e-4
// check: g abs 1e-3
// check: c exact
// check: power abs 1e-2
// check: least abs 1e-4
// check: odd exact
// dispatches: 1
void long_sums(int rows, int columns, int rounds, float a[rows][columns], const int q[rows][columns],
               float g[columns][columns], unsigned c[columns][columns], float power[rounds][4][3],
               float least[rounds][4], int odd[rounds][4]) {
    int part = columns / 4;
    for (int r = 0; r < rounds; r++) {
#pragma omp parallel for collapse(2)
        for (int i = 0; i < columns; i++)
            for (int j = 0; j < columns; j++) {
                float sum = 0.5f * g[i][j];
                unsigned both = c[i][j];
                for (int k = 0; k < rows; k++) {
                    sum += a[k][i] * a[k][j];
                    both += (unsigned)(q[k][i] ^ (q[k][j] + r));
                }
                g[i][j] = i < j ? sum : -sum;
                c[i][j] = both;
            }
#pragma omp parallel for
        for (int k = 0; k < rows; k++)
            for (int i = 0; i < columns; i++)
                a[k][i] += 0.001f * g[i][(i + r) % columns];
#pragma omp parallel for
        for (int p = 0; p < 4; p++) {
            float moment[3] = {0.0f, 0.0f, 0.0f}, lowest = g[p][p];
            int flips = p & 1;
            for (int k = 0; k < rows; k++)
                for (int i = 0; i < part; i++) {
                    float x = a[k][p * part + i];
                    moment[0] += x;
                    moment[1] += x * x;
                    if (x > 0) moment[2] += 1.0f;
                    lowest = x < lowest ? x : lowest;
                    flips ^= q[k][p * part + i];
                }
            for (int m = 0; m < 3; m++)
                power[r][p][m] = moment[m];
            least[r][p] = lowest;
            odd[r][p] = flips;
        }
    }
}
