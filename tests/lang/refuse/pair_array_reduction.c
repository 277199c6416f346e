// An array of doubles is reduced in copies of it, so it must not be too large.
// test: -fdouble=pair -i n=4 -i bins=1000000
// error: 5:40: a reduction of 'sums' takes 8 copies of it: it may have up to 524288 elements
void count(int n, int bins, const int where[n], double sums[bins]) {
#pragma omp parallel for reduction(+ : sums[:bins])
    for (int i = 0; i < n; i++)
        sums[where[i]] += 0.5;
}
