// A combiner that uses a variable of the function.
// test: -i n=16
// error: 6:61: 'declare reduction' cannot use 'w', a variable of the function
void f(int n, const float x[n], int out[1]) {
    int s = 5, w = n;
#pragma omp declare reduction(j : int : omp_out += omp_in * w)
#pragma omp parallel for reduction(j : s)
    for (int i = 0; i < n; i++)
        s += (int)x[i];
    out[0] = s;
}
