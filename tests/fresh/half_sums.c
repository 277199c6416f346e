// What is computed of halves is a float, and rounded where it is kept in a half: variables, elements, members, parameters
// and results, casts.
// test: -i n=64 -i x=uniform:lo=-10,hi=30,seed=1 -i h=uniform:lo=-3,hi=3,seed=2
// check: exact
struct two {
    _Float16 a, b;
};

static _Float16 square(_Float16 v) { return v * v; }
static float kept(_Float16 v) { return v; }
static struct two both(_Float16 a, _Float16 b) { return (struct two){a * b, a + b}; }

void half_sums(int n, const float x[n], const _Float16 h[n], float y[n][9]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        _Float16 v = x[i], w = h[i], list[3];
        _Float16 third = v * w - v;
        v = v * v - v;
        list[0] = v * w;
        list[1] = w * w * w;
        list[2] = list[0] + w;
        struct two t = both(v, w);
        t.a = t.a * t.b;
        y[i][0] = v;
        y[i][1] = third;
        y[i][2] = list[0] + list[1];
        y[i][3] = list[2];
        y[i][4] = square(third + w);
        y[i][5] = kept(w * third);
        y[i][6] = (_Float16)(w * w);
        y[i][7] = t.a + t.b;
        _Float16 sum = 0;
        for (int k = 0; k < n; k++)
            sum += h[k] * w;
        y[i][8] = sum;
    }
}
