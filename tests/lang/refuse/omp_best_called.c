// A section that keeps the best of all, of a pointer that goes through two calls.
// test: -i n=16
// error: 9:13: this 'critical' is for the CPU alone
struct found {
    float value;
    int at;
};
static void keep(struct found *best, float value, int at) {
#pragma omp critical
    if (value > best->value) {
        best->value = value;
        best->at = at;
    }
}
static void look(struct found *best, const float *x, int i) {
    keep(best, x[i], i);
}
void f(int n, const float x[n], float most[1]) {
    struct found best = {0.0f, -1};
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        look(&best, x, i);
    most[0] = best.value;
}
