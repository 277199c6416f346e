// In a parallel loop, too, the body has to step a linear variable: C compilers differ about what becomes of one that it leaves alone.
// error: 6:33: linear(k): the loop's body must step 'k' itself
// test: -i n=16
void f(int n, float x[n], int out[1]) {
    int k = 0;
#pragma omp parallel for linear(k : 2)
    for (int i = 0; i < n; i++)
        x[i] = (float)k;
    out[0] = k;
}
