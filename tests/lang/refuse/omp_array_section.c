// Array sections come in a later version.
// test: -i n=16
// error: 5:40: array sections come in a later version
void f(int n, float x[n]) {
#pragma omp parallel for reduction(+ : x[:3])
    for (int i = 0; i < n; i++)
        x[i % 3] += 1.0f;
}
