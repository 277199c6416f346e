// Races that only show in what the indices hold: two iterations write one element, and one reads what its neighbour writes.
// run: -i n=8 -i to=arange:8
void f(int n, const int to[n], float y[n], float z[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        y[to[i]] = (float)i;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        z[i] = z[to[i]] + 1.0f;
}
