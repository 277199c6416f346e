// A loop of one iteration cannot race.
// test: -i n=1
// check: exact
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[0] += 1.0f;
}
