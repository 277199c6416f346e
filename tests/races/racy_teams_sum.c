// Teams add to one variable.
// test: -i n=24 -i x=arange
void f(int n, const int x[n], int sum[1]) {
#pragma omp target teams distribute
    for (int i = 0; i < n; i++)
        sum[0] += x[i];
}
