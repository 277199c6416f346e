// test: -i n=16 -i w=arange -i y=arange
// check: exact
static float go(int j, const float w[8]) {
    float s = 0;
    for (int t = 0; t < 100; t++) {
        for (int q = 0; q < 100; q++)
            if (j - 100000 * (j < 0 || j > 7) < q - 5000)
                return s;
        s += w[j];
    }
    return s;
}
void f(int n, const float w[8], float y[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        y[i] = go(i - 5, w);
}
