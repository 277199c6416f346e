// A stencil from one array to the other, which then change places.
// test: -i n=8 -i steps=4
void f(int n, int steps, float a[n][n], float b[n][n]) {
    float(*in)[n] = a, (*out)[n] = b;
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                out[i][j] = 0.25f * (in[i - 1][j] + in[i + 1][j] + in[i][j - 1] + in[i][j + 1]);
        float(*swap)[n] = in;
        in = out;
        out = swap;
    }
}
