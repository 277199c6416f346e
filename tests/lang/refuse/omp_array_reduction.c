// A loop that reduces an array only updates its elements: what it reads of them would be a part of the sum.
// test: -i n=16
// error: 8:9: 'sums' is reduced: this loop can only update its elements
void f(int n, int x[n]) {
    int sums[4] = {0};
#pragma omp parallel for reduction(+ : sums)
    for (int i = 0; i < n; i++)
        sums[i % 4] += x[i] + sums[0];
    x[0] = sums[0];
}
