// One iteration reads where another writes.
// test: -i n=8 -i at=0,1,2,3,4,5,6,0
void f(int n, const int at[n], float a[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[at[i]] * 2.0f;
}
