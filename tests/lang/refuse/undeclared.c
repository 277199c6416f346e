// A name that was never declared; the nearest one is offered.
// test: -i n=16
// error: 8:16: use of undeclared identifier 'scal'; did you mean 'scale'?
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        const float scale = 2.0f;
        x[i] = scal;
    }
}
