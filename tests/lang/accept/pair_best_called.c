// -fdouble=pair: sections that keep the best of all in functions that the loop calls, of doubles and of 64-bit integers that need two words.
// test: -fdouble=pair -i n=700 -i x=uniform:lo=-9,hi=9,seed=1
// check: rel 1e-12
struct found {
    double value;
    long long key;
};

static double low = 1e30;
static int low_at;

static void keep(struct found *best, double value, long long key) {
#pragma omp critical
    if (value > best->value || (value == best->value && key < best->key)) {
        best->value = value;
        best->key = key;
    }
}

static void keep_key(long long *key, int *at, long long k, int i) {
#pragma omp critical(key)
    if (k > *key) {
        *key = k;
        *at = i;
    }
}

static void lowest(double v, int i) {
#pragma omp critical(low)
    if (v < low) {
        low = v;
        low_at = i;
    }
}

void called(int n, const double x[n], double out[2], int at[4]) {
    struct found best[2] = {{-1e30, -1}, {-1e30, -1}};
    long long key = -1;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        keep(&best[1], x[i] * (1.0 + 1e-12 * i), (long long)i << 34);
        keep_key(&key, &at[2], ((long long)(i * 7919 % 1009) << 33) + i, i);
        lowest(x[i] - 1e-11 * (i % 2), i);
    }
    out[0] = best[1].value;
    out[1] = low;
    at[0] = (int)(best[1].key >> 34);
    at[1] = low_at;
    at[3] = (int)(key >> 33);
}
