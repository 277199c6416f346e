// A declared reduction of another type than the variable's.
// test: -i n=16
// error: 7:42: reduction 'far' is not declared for type 'int', which 'k' has
#pragma omp declare reduction(far : float : omp_out = omp_in > omp_out ? omp_in : omp_out)
void f(int n, const float x[n], int out[1]) {
    int k = 0;
#pragma omp parallel for reduction(far : k)
    for (int i = 0; i < n; i++)
        k = x[i] > (float)k ? (int)x[i] : k;
    out[0] = k;
}
