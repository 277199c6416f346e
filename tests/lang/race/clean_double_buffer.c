// Neighbours are read from a second array.
// test: -i n=64 -i now=arange
// check: exact
void f(int n, const float now[n], float next[n]) {
#pragma omp parallel for
    for (int i = 1; i < n - 1; i++)
        next[i] = now[i - 1] + now[i + 1];
}
