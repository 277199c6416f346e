// A function with a variable number of arguments.
// test: -i n=16
// error: 4:12: a function with '...' is not supported: give every parameter a name and a type
static int first(int k, ...) {
    return k;
}
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        x[i] = (float)first(i, 2, 3);
    }
}
