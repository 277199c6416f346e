// The size of an array that --uniform keeps open, of a value that makes one which no device has.
// test: -i n=2000000 --uniform n
// error: 5:9: 't' would be too large for the scalars given
void f(int n, int x[16]) {
    int t[n][n];
#pragma omp parallel for
    for (int i = 0; i < 16; i++)
        t[0][i] = i;
#pragma omp parallel for
    for (int i = 0; i < 16; i++)
        x[i] = t[0][15 - i];
}
