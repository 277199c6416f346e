// test: -i n=16 -i c=arange -i x=arange
// check: exact
static void go(int i, const int c[], int x[]) {
    for (int t = 0; t < 200; t++) {
        for (int q = 0; q < 200; q++)
            if (c[i] % 3 == 0 && q + t >= 0)
                return;
        x[i] = t;
    }
}
void f(int n, const int c[n], int x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        go(i, c, x);
}
