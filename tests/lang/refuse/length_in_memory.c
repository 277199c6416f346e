// A length that stands in memory may change behind the declaration of the rows.
// test: -i n=16
// error: 10:50: the length of an array is read from memory here, which may change: keep it in a variable of its own
void f(int n, int w[n], const float x[n], float y[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        y[i] = 0;
#pragma omp parallel for
    for (int i = 0; i < 1; i++) {
        const float(*r)[w[0]] = (const float(*)[w[0]])x;
        w[0] = 5;
        y[i] = r[1][1] + (float)sizeof(r[0]);
    }
}
