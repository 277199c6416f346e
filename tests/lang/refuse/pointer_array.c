// Pointers that come from outside.
// test: -i n=4
// error: 4:26: its pointers come from outside; pass one array of all rows
void f(int n, const int *x[n], int y[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        y[i] = x[i][0];
}
