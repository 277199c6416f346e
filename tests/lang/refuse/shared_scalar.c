// A parallel loop that assigns a variable of outside: reduction or private.
// test: -i n=16
// error: 8:9: 'last'
void f(int n, float x[n]) {
    float last = 0.0f;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        last = x[i];
        x[i] = last * 2.0f;
    }
}
