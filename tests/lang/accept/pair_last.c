// lastprivate of doubles as pairs, and of structs with some; also at a loop of a region, whose schedule is another one.
// test: -fdouble=pair -i n=100 -i x=normal:sd=9,seed=2
// check: rel 1e-13
struct best {
    double value;
    int at;
};

void keep(int n, const double x[n], double out[6]) {
    double last = 0, twice = 0;
    struct best b = {0, -1};
#pragma omp parallel for lastprivate(last, b)
    for (int i = 0; i < n; i++) {
        last = x[i] / 3;
        b = (struct best){last * 2, i};
    }
#pragma omp parallel
    {
#pragma omp for lastprivate(twice) schedule(static, 4)
        for (int i = n - 1; i > 0; i--)
            twice = x[i] + x[i - 1];
    }
    out[0] = last;
    out[1] = b.value;
    out[2] = b.at;
    out[3] = twice;
}
