// Sums over all subsets, there and back, and rounds that write two arrays in turn.
//
// test: -i bits=8 -i f=uniform:lo=0,hi=1000,seed=1
// check: exact
void subset_sums(int bits, unsigned f[1 << bits], unsigned sums[1 << bits]) {
    int n = 1 << bits;
    for (int b = 0; b < bits; b++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            if (i & 1 << b) f[i] += f[i - (1 << b)];
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        sums[i] = f[i];
    for (int h = n / 2; h >= 1; h /= 2) {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            if (i % (2 * h) >= h) f[i] -= f[i - h];
    }
    unsigned other[1 << bits];
    for (int h = 1; h < n; h *= 4) {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            other[i] = sums[i] * 3 + sums[i ^ h];
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            sums[i] = other[i] ^ other[i ^ 2 * h] * 5;
    }
}
