// The size of an array that --uniform keeps open, of a value that makes none.
// test: -i n=-3 --uniform n
// error: 5:9: 't' would have a size of -3 for the scalars given
void f(int n, int x[16]) {
    int t[n];
#pragma omp parallel for
    for (int i = 0; i < 16; i++)
        t[i] = i;
#pragma omp parallel for
    for (int i = 0; i < 16; i++)
        x[i] = t[15 - i];
}
