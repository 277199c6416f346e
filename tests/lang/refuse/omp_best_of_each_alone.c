// The largest of each of several places, and nothing beside it.
// test: -i n=16 -i m=4
// error: 7:13: on a GPU write reduction(max : most[:LENGTH]) at the loop
void f(int n, int m, const float x[n], const int cell[n], float most[m]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp critical
        most[cell[i]] = most[cell[i]] < x[i] ? x[i] : most[cell[i]];
    }
}
