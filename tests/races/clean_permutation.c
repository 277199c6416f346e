// The indices are a permutation.
// test: -i n=8 -i at=3,1,2,0,7,5,6,4
void f(int n, const int at[n], float a[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[at[i]] += 1.0f;
}
