// Functions that give results through pointers: to scalars, to struct members, to elements; swap.
// test: -i n=48
// check: exact
struct range {
    int lo, hi;
};

static void divide(int a, int b, int *quotient, int *remainder) {
    *quotient = a / b;
    *remainder = a % b;
}

static void swap(int *a, int *b) {
    int t = *a;
    *a = *b;
    *b = t;
}

static void widen(struct range *r, int x) {
    if (x < r->lo)
        r->lo = x;
    if (x > r->hi)
        r->hi = x;
}

void results(int n, int out[n][6]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int q, r;
        divide(i * 7, 5, &q, &r);
        out[i][0] = q * 10 + r;
        swap(&q, &r);
        out[i][1] = q * 10 + r;
        struct range w = {100, -100};
        for (int k = 0; k < 5; k++)
            widen(&w, (i * 13 + k * 29) % 41);
        out[i][2] = w.lo;
        out[i][3] = w.hi;
        swap(&w.lo, &w.hi);
        divide(100 + i, 9, &out[i][4], &out[i][5]);
        out[i][5] += w.lo;
    }
}
