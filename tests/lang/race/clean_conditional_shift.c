// The neighbour is read by odd iterations, written by even ones.
// test: -i n=64 -i x=arange
// check: exact
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n - 1; i++)
        if (i % 2 == 0)
            x[i] = x[i + 1];
}
