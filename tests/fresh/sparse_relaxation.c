// sparse_relaxation.c - nodes of a graph take the weighted mean of their neighbours, which a list of each node names:
// lists of 0 to 40 nodes, whose values the steps write.
//
// test: -i n=300 -i most=40 -i steps=4 -i degree=uniform:lo=-4,hi=40,seed=1 -i next=uniform:lo=0,hi=300,seed=2 -i weight=uniform:lo=0,hi=1,seed=3 -i x=uniform:lo=0,hi=1,seed=4
// check: abs 1e-4
void sparse_relaxation(int n, int most, int steps, const int degree[n], const int next[n][most],
                       const float weight[n][most], float x[n]) {
    float y[n];
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            float sum = 0.25f * x[i], all = 0.25f;
            for (int k = 0; k < degree[i]; k++) {
                sum += weight[i][k] * x[next[i][k]];
                all += weight[i][k];
            }
            y[i] = sum / all;
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            x[i] = y[i];
    }
}
