// The entry begins by setting variables at file scope: one that nothing else sets is a number to all functions, and the others are not.
// run: -i n=100000 -i m=7 -i x=uniform:lo=-1,hi=1,seed=3
// test: -i n=100 -i m=7 -i x=uniform:lo=-1,hi=1,seed=3
// check: near 1e-5
static int count, twice = 3, stepped = 5, pointed, never = 2;

static float sum(int n, const float x[n]) {
    float all = 0;
#pragma omp parallel for reduction(+ : all)
    for (int i = 0; i < count; i++)
        all += x[i] * never;
    return all;
}
static void step(int by) { stepped += by; }
static void set(int *at) { *at = 11; }

void work(int n, int m, const float x[n], float out[n]) {
    count = n;
    stepped = m;
    twice = m;
    pointed = m;
    out[0] = twice + never;
    for (int t = 0; t < 3; t++) {
        out[1] = sum(n, x) + stepped + twice + pointed;
        step(t + 1);
        twice = t;
        if (t == 1) set(&pointed);
    }
#pragma omp parallel for
    for (int i = 2; i < n; i++)
        out[i] = x[i] * count + stepped * i + twice - pointed;
}
