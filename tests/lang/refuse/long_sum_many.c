// A 64-bit sum over more iterations than its parts can count without a carry.
// test: -i n=700000000
// error: 6:13: a sum of 64-bit integers takes at most 613566756 iterations
void f(int n, long y[1]) {
    long sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += (long)i * i;
    y[0] = sum;
}
