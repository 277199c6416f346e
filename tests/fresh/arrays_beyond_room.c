// More local arrays than an invocation has room for: those whose places counters choose, one that data choose, and small ones that loops inside fill.
//
// run: -i chains=16384 -i x=uniform:lo=-1,hi=1,seed=3
// test: -i chains=70 -i x=uniform:lo=-1,hi=1,seed=3
// check: near 1e-4
enum { LINKS = 14 };
static const int parent[LINKS] = {0, 0, 1, 2, 1, 4, 5, 0, 7, 8, 9, 7, 11, 3};
void arrays_beyond_room(int chains, const float x[chains][LINKS], float y[chains][LINKS], float z[chains]) {
#pragma omp parallel for
    for (int c = 0; c < chains; c++) {
        float turn[LINKS][6][6], mass[LINKS][6][6], moved[LINKS][6], pushed[LINKS][6], seen[90];
        for (int i = 0; i < LINKS; i++)
            for (int r = 0; r < 6; r++) {
                moved[i][r] = i ? 0.0f : x[c][r];
                pushed[i][r] = x[c][i] - 0.1f * r;
                for (int k = 0; k < 6; k++) {
                    turn[i][r][k] = r == k ? 0.9f : 0.05f * x[c][i] * (r - k);
                    mass[i][r][k] = r == k ? 1.0f + 0.1f * x[c][i] : 0.0f;
                }
            }
        for (int k = 0; k < 90; k++)
            seen[k] = 0.0f;
        for (int i = 1; i < LINKS; i++)
            for (int r = 0; r < 6; r++)
                for (int k = 0; k < 6; k++)
                    moved[i][r] += turn[i][r][k] * moved[parent[i]][k];
        for (int i = LINKS - 1; i > 0; i--) {
            float rest[6][6], half[6][6];
            for (int r = 0; r < 6; r++)
                for (int k = 0; k < 6; k++)
                    rest[r][k] = mass[i][r][k] - 0.3f * moved[i][r] * moved[i][k];
            for (int r = 0; r < 6; r++)
                for (int k = 0; k < 6; k++) {
                    half[r][k] = 0.0f;
                    for (int j = 0; j < 6; j++)
                        half[r][k] += rest[r][j] * turn[i][j][k];
                }
            for (int r = 0; r < 6; r++)
                for (int j = 0; j < 6; j++) {
                    for (int k = 0; k < 6; k++)
                        mass[parent[i]][r][k] += 0.2f * turn[i][j][r] * half[j][k];
                    pushed[parent[i]][r] += 0.3f * turn[i][j][r] * pushed[i][j];
                }
            seen[(int)(45.0f + 40.0f * x[c][i])] += mass[i][2][3];
        }
        for (int i = 0; i < LINKS; i++)
            y[c][i] = pushed[i][2] / mass[i][2][2];
        float sum = 0.0f;
        for (int k = 0; k < 90; k++)
            sum += seen[k] * k;
        z[c] = sum;
    }
}
