// Both ends of each loop stand in an array: up and down, empty ones, and such that end before they start.
// test: -i n=3000 -i jobs=24 -i from=uniform:lo=0,hi=3000,seed=11 -i to=uniform:lo=0,hi=3000,seed=12 -i x=const:1 -i sums=const:0
// check: exact
// dispatches: 1
void given_ranges(int n, int jobs, const int from[jobs], const int to[jobs], int x[n], int sums[jobs]) {
    for (int job = 0; job < jobs; job++) {
        int lo = from[job], hi = to[job], sum = 0;
#pragma omp parallel for
        for (int i = lo; i < hi; i += 3)
            x[i] = x[i] * 5 % 1009 + x[i] % 11 + job;
#pragma omp parallel for
        for (int i = n - 1 - lo; i > hi / 2; i--)
            x[i] = (x[i] + i) % 1013;
#pragma omp parallel for reduction(+ : sum)
        for (int i = hi - lo; i >= lo - hi; i -= 2)
            sum += x[i < 0 ? -i : i];
        sums[job] = sum;
    }
}
