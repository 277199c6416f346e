// lastprivate is of scalars and structs.
// error: 6:13: lastprivate(a): only scalars and structs
// test: -i n=6
void f(int n, int x[n], int out[4]) {
    int a[4] = {0};
#pragma omp parallel for lastprivate(a)
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 4; k++)
            a[k] = i + k;
        x[i] = a[1];
    }
    for (int k = 0; k < 4; k++)
        out[k] = a[k];
}
