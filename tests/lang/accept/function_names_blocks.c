// Local pointers to functions whose names are those of others, up to the end of their blocks; functions whose names make the same one.
// test: -i n=40 -i x=uniform:lo=-9,hi=9,seed=4
// check: exact
static int far(int v) { return v + 100; }
static int two(int v) { return v + 2; }
static int three(int v) { return v * 3; }
static int two__three(int v) { return v - 50; }
static int three__far(int v) { return 7 - v; }

static int call(int (*g)(int), int v) {
    {
        int (*g)(int) = two;
        v = g(v);
    }
    return g(v);
}
static int call__two(int v) { return v * 9; }

static int both(int (*g)(int), int (*h)(int), int v) { return 5 * g(v) + h(v); }

void f(int n, const int x[n], int y[n], int z[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        {
            int (*far)(int) = two;
            y[i] = far(3);
        }
        y[i] += far(4) * 10 + call(far, x[i]);
        if (x[i] > 0) {
            int (*own)(int) = two;
            y[i] += call(own, i);
            {
                int (*own)(int) = three;
                y[i] += own(x[i]);
            }
            y[i] -= own(x[i]);
        } else {
            int (*own)(int) = far;
            y[i] += own(i);
        }
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        z[i] = both(two, three__far, x[i]) - both(two__three, far, x[i]) + call__two(call(two, i));
}
