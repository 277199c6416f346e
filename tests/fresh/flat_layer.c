// flat_layer.c - a layer of a network, forwards and backwards, with its matrices in one dimension.
//
// run: -i b=512 -i n=768 -i m=512 -i x=normal:seed=1 -i w=normal:seed=2 -i dy=normal:seed=4
// test: -i b=16 -i n=24 -i m=12 -i x=normal:seed=1 -i w=normal:seed=2 -i dy=normal:seed=4
// check: near 1e-3
// dispatches: 1
void layer(int b, int n, int m, const float x[b * n], float w[n * m], const float dy[b * m], float y[b * m],
           float dw[n * m], float dx[b * n]) {
#pragma omp parallel for
    for (int i = 0; i < b; i++)
        for (int j = 0; j < m; j++) {
            float s = 0;
            for (int k = 0; k < n; k++)
                s += x[i * n + k] * w[k * m + j];
            y[i * m + j] = s;
        }
#pragma omp parallel for
    for (int t = 0; t < n * m; t++) {
        int k = t / m, j = t % m;
        float s = 0;
        for (int i = 0; i < b; i++)
            s += x[i * n + k] * dy[i * m + j];
        dw[t] = s;
    }
#pragma omp parallel for
    for (int t = 0; t < b * n; t++) {
        int i = t / n, k = t - i * n;
        float s = 0;
        for (int j = 0; j < m; j++)
            s += dy[i * m + j] * w[k * m + j];
        dx[t] = s;
    }
#pragma omp parallel for
    for (int t = 0; t < n * m; t++)
        w[t] -= 0.01f * dw[t];
}
