// Every iteration adds to element 0.
// test: -i n=64
// error: 7:9: data race
void f(int n, const float x[n], float total[1]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        total[0] += x[i];
}
