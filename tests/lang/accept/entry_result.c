// The entry may return something, which nobody takes.
// test: -i n=16
// check: exact
static int check(int n) {
    return n > 0;
}
int work(int n, float x[n], int out[1]) {
    if (!check(n)) return -1;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] = (float)(i * 2);
    out[0] = 7;
    if (x[1] > 1.0f) return out[0]++;
    return 0;
}
