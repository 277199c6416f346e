// All iterations of the inner parallel loop write the element of the outer counter.
// test: -i n=32 -i x=zeros
void f(int n, const float x[n][n], float a[n]) {
    for (int i = 0; i < n; i++) {
#pragma omp parallel for
        for (int j = 0; j < n; j++)
            a[i] += x[i][j];
    }
}
