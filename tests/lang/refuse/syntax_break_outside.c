// break outside of a loop.
// test: -i n=16
// error: 5:5: 'break' statement not in loop or switch
static void g(void) {
    break;
}
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        g();
        x[i] = 1.0f;
    }
}
