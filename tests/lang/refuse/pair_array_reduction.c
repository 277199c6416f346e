// Arrays of doubles are not reduced.
// test: -fdouble=pair -i n=4
// error: 5:40: an array of doubles is not reduced as pairs of floats
void count(int n, const int where[n], double sums[4]) {
#pragma omp parallel for reduction(+ : sums[:4])
    for (int i = 0; i < n; i++)
        sums[where[i]] += 0.5;
}
