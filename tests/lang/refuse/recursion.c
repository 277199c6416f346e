// A function that calls itself: the message names it.
// test: -i n=16
// error: 5:20: recursion: power -> power; use a loop
static float power(float b, int e) {
    return e ? b * power(b, e - 1) : 1.0f;
}
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        x[i] = power(2.0f, i);
    }
}
