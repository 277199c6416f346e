// A pointer that the loop sets names no array that could be copied.
// test: -i n=16
// error: 5:42: this reduction of 'at' is not supported: it must be an array of numbers
void f(int n, float x[n], float at[3]) {
#pragma omp parallel for reduction(max : at[:3])
    for (int i = 0; i < n; i++) {
        at[0] = x[i] > at[0] ? x[i] : at[0];
        at = x;
    }
}
