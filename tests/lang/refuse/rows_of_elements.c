// Elements seen as rows whose size only data say.
// test: -i n=16
// error: 8:24: a row of elements cannot be seen as an array of more dimensions
void f(int n, int w[n], float x[n], float y[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int m = w[i];
        float(*r)[m] = (float(*)[m])x;
        y[i] = r[1][0];
    }
}
