// An initializer that sets nothing.
// test: -i n=16
// error: 4:72: an initializer is 'omp_priv = value', or the call of a function
#pragma omp declare reduction(r : int : omp_out += omp_in) initializer(omp_priv)
void f(int n, const float x[n], int out[1]) {
    int s = 1;
#pragma omp parallel for reduction(r : s)
    for (int i = 0; i < n; i++)
        s += (int)x[i];
    out[0] = s;
}
