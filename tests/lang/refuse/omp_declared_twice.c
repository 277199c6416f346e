// One name for two reductions of a type.
// test: -i n=16
// error: 5:31: redeclaration of reduction 'r' for type 'int'
#pragma omp declare reduction(r : int : omp_out *= omp_in) initializer(omp_priv = 1)
#pragma omp declare reduction(r : int : omp_out += omp_in)
void f(int n, const float x[n], int out[1]) {
    int s = 1;
#pragma omp parallel for reduction(r : s)
    for (int i = 0; i < n; i++)
        s += (int)x[i];
    out[0] = s;
}
