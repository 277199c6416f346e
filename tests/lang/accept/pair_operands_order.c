// Operands that change the same variable come from the left, also where doubles are pairs of floats.
//
// run: -i n=64 -fdouble=pair
// test: -i n=64 -fdouble=pair
// check: rel 1e-12
static double next(unsigned *s) {
    *s = *s * 1664525u + 1013904223u;
    return *s / 4294967296.0;
}

void pair_operands_order(int n, double y[n][3]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        unsigned s = (unsigned)i;
        y[i][0] = next(&s) - 3.0 * next(&s);
        y[i][1] = next(&s) / (next(&s) + 1.0);
        y[i][2] = next(&s) < next(&s) ? 1.0 : 2.0;
    }
}
