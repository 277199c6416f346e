// A sum without reduction.
// test: -i n=16
// error: 8:9: reduction
void f(int n, float x[n]) {
    float total = 0.0f;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        total += x[i];
    x[0] = total;
}
