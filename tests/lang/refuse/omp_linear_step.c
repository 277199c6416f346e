// In a sequential loop the body has to step a linear variable.
// error: 6:25: linear(k): the loop's body must step 'k' itself
// test: -i n=16
void f(int n, float x[n]) {
    int k = 0;
#pragma omp simd linear(k : 2)
    for (int i = 0; i < n / 2; i++)
        x[k] += 1.0f;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] += 1.0f;
}
