// A function that never ends: the file's end comes first.
// test: -i n=16
// error: 9:1: expected '}' before the end of the file
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        x[i] = 1.0f;

