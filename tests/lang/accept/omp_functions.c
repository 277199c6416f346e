// Directives inside functions: a function with a parallel loop, and one with an orphaned `for` that its caller's region shares.
// entry: simulate
// test: -i n=40 -i steps=3
// check: exact
static void add(int n, float *x, const float *y, float by) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] += y[i] * by;
}

static void advance(int n, float *x, float rate) {
#pragma omp for
    for (int i = 0; i < n; i++)
        x[i] = x[i] * rate + 1.0f;
}

void simulate(int n, int steps, float x[n], float y[n]) {
    for (int t = 0; t < steps; t++) {
        add(n, x, y, 0.5f);
#pragma omp parallel
        {
            advance(n, x, 0.5f);
            advance(n, y, 2.0f);
        }
    }
}
