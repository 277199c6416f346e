// A macro with the wrong number of arguments.
// test: -i n=16
// error: 8:16: macro 'ADD'
#define ADD(a, b) ((a) + (b))
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        x[i] = ADD(1.0f);
    }
}
