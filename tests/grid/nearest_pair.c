// The nearest two of all points, which threads look for behind a critical section and a look without it, meet and are thrown apart; then the
// next two.
// run: -i n=20000 -i steps=20 -i x=uniform:lo=0,hi=1000,seed=1 -i y=uniform:lo=0,hi=1000,seed=2
// test: -i n=300 -i steps=6 -i x=uniform:lo=0,hi=1000,seed=1 -i y=uniform:lo=0,hi=1000,seed=2
// check: rel 1e-6
// dispatches: 1
struct nearest {
    float distance;
    int one, other;
};

void pairs(int n, int steps, float x[n], float y[n], int met[steps][2]) {
    for (int t = 0; t < steps; t++) {
        struct nearest best = {1e30f, -1, -1};
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            for (int j = i + 1; j < n && j < i + 64; j++) {
                float d = (x[i] - x[j]) * (x[i] - x[j]) + (y[i] - y[j]) * (y[i] - y[j]);
                if (d < best.distance) {
#pragma omp critical
                    if (d < best.distance) {
                        best.distance = d;
                        best.one = i;
                        best.other = j;
                    }
                }
            }
        met[t][0] = best.one;
        met[t][1] = best.other;
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            if (i == best.one || i == best.other) {
                x[i] = 1000.0f - x[i] + (float)(i % 7);
                y[i] = i == best.one ? y[i] * 0.5f : 1000.0f - y[i] + (float)(t * 7);
            }
    }
}
