// Recursion through other functions: the chain is named.
// test: -i n=16
// error: 9:16: recursion: even -> odd -> even; use a loop
static int odd(int k);
static int even(int k) {
    return k ? odd(k - 1) : 1;
}
static int odd(int k) {
    return k ? even(k - 1) : 0;
}
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        x[i] = (float)even(i);
    }
}
