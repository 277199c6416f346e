// A reduction of a whole array comes in a later version.
// test: -i n=16
// error: 6:40: later version
void f(int n, float x[n]) {
    float sums[4] = {0.0f};
#pragma omp parallel for reduction(+ : sums)
    for (int i = 0; i < n; i++)
        sums[i % 4] += x[i];
    x[0] = sums[0];
}
