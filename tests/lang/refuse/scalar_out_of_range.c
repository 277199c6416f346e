// A value that the parameter's type does not hold.
// test: -i n=16 -i k=3000000000
// error: 4:19: cannot be 3000000000
void f(int n, int k, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] = (float)k;
}
