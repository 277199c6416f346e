// serial_sums.c - groups of points whose middles are found by a loop that nobody made parallel, and a weighted histogram.
//
// test: -i n=900 -i rounds=2 -i p=uniform:seed=1
// with --portable: -i n=20000 -i rounds=2 -i p=uniform:seed=1
// check: abs 1e-3
// check: count exact
// dispatches: 1
void serial_sums(int n, int rounds, const float p[n][3], float middle[5][3], int count[5], float weight[16]) {
    int label[n];
    float sum[5][3];
    for (int c = 0; c < 5; c++)
        for (int d = 0; d < 3; d++)
            middle[c][d] = p[c * 7][d];
    for (int t = 0; t < rounds; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            float least = 1e30f;
            for (int c = 0; c < 5; c++) {
                float far = 0.0f;
                for (int d = 0; d < 3; d++)
                    far += (p[i][d] - middle[c][d]) * (p[i][d] - middle[c][d]);
                if (far < least) {
                    least = far;
                    label[i] = c;
                }
            }
        }
        for (int c = 0; c < 5; c++) {
            count[c] = 0;
            for (int d = 0; d < 3; d++)
                sum[c][d] = 0.0f;
        }
        for (int i = 0; i < n; i++) {
            count[label[i]]++;
            for (int d = 0; d < 3; d++)
                sum[label[i]][d] += p[i][d];
        }
        for (int c = 0; c < 5; c++)
            if (count[c])
                for (int d = 0; d < 3; d++)
                    middle[c][d] = sum[c][d] / (float)count[c];
    }
    for (int i = 0; i < n; i++)
        weight[(int)(p[i][0] * 15.99f)] += p[i][1] * 0.125f;
}
