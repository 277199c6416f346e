// Each iteration writes its place of a permutation.
// test: -i n=64 -i place=arange
// check: exact
void f(int n, const int place[n], int out[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        out[place[i]] = i * 3;
}
