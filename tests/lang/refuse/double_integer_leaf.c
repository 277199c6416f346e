// An int in an expression that C computes in double: it may exceed 24 bits.
// test: -i n=16
// error: 7:23: this integer may exceed 2^24, and what C computes in double here is computed in float: cast it
void f(int n, const int k[n], float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] = 0.5 * k[i];
}
