// The entry function returns nothing.
// test: -i n=16
// error: 4:7: void
float f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] = 1.0f;
    return x[0];
}
