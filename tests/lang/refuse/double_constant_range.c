// A constant that no float can hold.
// test: -i n=16
// error: 7:31: this constant is outside of float's range, and the program's doubles are computed in float:
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        x[i] = (float)(x[i] * 1e60);
    }
}
