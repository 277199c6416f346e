// How far the inner loop's bound goes is not known, and so is not how many iterations there are.
// error: 8:9: collapse: the bounds of the inner loop must have a known range
// test: -i n=6
void f(int n, const int x[n], int y[n]) {
    int m = x[0];
#pragma omp parallel for collapse(2)
    for (int i = 0; i < m; i++)
        for (int j = 0; j < (i % 2 ? i : 3); j++)
            y[i + j] = x[j];
}
