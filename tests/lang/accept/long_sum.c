// 64-bit products and sums that need more than 32 bits, and their rests.
// test: -i n=64 -i k=uniform:lo=-2147483648,hi=2147483648,seed=1
// check: exact
void f(int n, const int k[n], float x[n], int y[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        long sum = (long)k[i] * 100000, square = 0;
        x[i] = (float)(sum % 1000);
        for (int j = 0; j < n; j++)
            square += (long)k[j] * k[i];
        y[i] = (int)(square % 1000003) + (square > 5000000000 ? 1 : 0);
    }
}
