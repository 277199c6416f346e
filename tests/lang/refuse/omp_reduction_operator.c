// A reduction with an operator that there is not.
// test: -i n=16
// error: 6:36: reduction
void f(int n, float x[n]) {
    float total = 0.0f;
#pragma omp parallel for reduction(/ : total)
    for (int i = 0; i < n; i++)
        total += x[i];
    x[0] = total;
}
