// Two neighbours share an element.
// test: -i n=64
// error: 7:9: data race
void f(int n, int x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i / 2] = i;
}
