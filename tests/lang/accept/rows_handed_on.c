// Elements seen as rows go to functions with parameters of rows, whose size is a parameter before it: two calls with two sizes.
// test: -i n=6 -i in=normal:seed=1
static float corner(int h, int w, const float (*x)[w]) { return x[h - 1][w - 1] - x[0][w - 1]; }
static float both(int h, int w, const void *from) {
    const float(*x)[w] = (const float(*)[w])from;
    return corner(h, w, x) + corner(h - 1, w, x + 1);
}
void rows_handed_on(int n, const float in[24], float out[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float own[24];
        for (int k = 0; k < 24; k++)
            own[k] = in[k] + (float)(i * k);
        out[i] = both(6, 4, own) + 10 * both(4, 6, own) + 100 * both(12, 2, own);
    }
}
