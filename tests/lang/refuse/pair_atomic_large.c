// ... nor by atomics of its elements.
// test: -fdouble=pair -i n=4 -i bins=1000000
// error: 7:13: two floats cannot be updated by one atomic operation: use a reduction of the variable, or of the array, as in reduction(+ : a[:n])
void count(int n, int bins, const int where[n], double sums[bins]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
#pragma omp atomic
        sums[where[i]] += 0.5;
}
