// All iterations write the element of the outer loop's counter.
// test: -i n=24
// error: 8:13: data race
void f(int n, const float x[n], float y[n]) {
    for (int k = 0; k < n; k++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            y[k] = x[i];
    }
}
