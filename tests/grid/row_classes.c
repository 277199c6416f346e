// Rows that lanes of a workgroup sum up, and counters of what they found: classes, the most of each, and what triangles hold.
// test: -i n=70 -i m=80 -i rounds=3 -i x=normal:seed=1 -i count=const:0 -i most=const:-1000 -i below=const:0
// check: count exact
// check: most exact
// check: below exact
// dispatches: 1
void row_classes(int n, int m, int rounds, const float x[n][m], int count[rounds][4], int most[4], int below[4]) {
    for (int r = 0; r < rounds; r++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            float sum = 0;
            int above = 0;
            for (int j = 0; j < m; j++) {
                sum += x[i][j] * x[(i + r) % n][j];
                above += x[i][j] > 0.5f;
            }
            int class = (sum > 0) + 2 * (above > m / 3);
#pragma omp atomic
            count[r][class]++;
#pragma omp atomic compare
            most[class] = most[class] < above ? above : most[class];
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            int found = 0;
            for (int j = 0; j <= i + r; j++)
                found += x[i][j] < 0;
#pragma omp atomic
            below[found & 3] += found;
        }
    }
}
