// k_means.c - points are sorted into clusters: each goes to its nearest centre, each centre to the mean of its points.
//
// Source: S. P. Lloyd, "Least squares quantization in PCM", 1982. Sums are counted in integers of 2^-16, so they do not
// depend on the order.
//
// run: -i points=200000 -i clusters=32 -i rounds=30 -i x=uniform:lo=0,hi=1,seed=1 -i y=uniform:lo=0,hi=1,seed=2
// test: -i points=700 -i clusters=17 -i rounds=4 -i x=uniform:lo=0,hi=1,seed=1 -i y=uniform:lo=0,hi=1,seed=2
// check: exact
// check: centre abs 1e-5
// dispatches: 1
// barriers: 2 a round
void k_means(int points, int clusters, int rounds, const float x[points], const float y[points],
             float centre[clusters][2], int sum_x[clusters], int sum_y[clusters], int count[clusters],
             int cluster[points]) {
    for (int c = 0; c < clusters; c++) {
        centre[c][0] = x[c];
        centre[c][1] = y[c];
    }
    for (int r = 0; r < rounds; r++) {
        for (int c = 0; c < clusters; c++)
            sum_x[c] = sum_y[c] = count[c] = 0;
#pragma omp parallel for
        for (int i = 0; i < points; i++) {
            int best = 0;
            float least = 1e30f;
            for (int c = 0; c < clusters; c++) {
                float dx = x[i] - centre[c][0], dy = y[i] - centre[c][1];
                float away = dx * dx + dy * dy;
                if (away < least) {
                    least = away;
                    best = c;
                }
            }
            cluster[i] = best;
#pragma omp atomic
            sum_x[best] += (int)(x[i] * 4096.0f);
#pragma omp atomic
            sum_y[best] += (int)(y[i] * 4096.0f);
#pragma omp atomic
            count[best]++;
        }
        for (int c = 0; c < clusters; c++)
            if (count[c] > 0) {
                centre[c][0] = (float)sum_x[c] / 4096.0f / (float)count[c];
                centre[c][1] = (float)sum_y[c] / 4096.0f / (float)count[c];
            }
    }
}
