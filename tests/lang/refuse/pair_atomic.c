// Two floats are no operand of one atomic operation, and this one wants the value before.
// test: -fdouble=pair -i n=4
// error: 7:13: two floats cannot be updated by one atomic operation: use a reduction of the variable, or of the array, as in reduction(+ : a[:n])
void count(int n, double sum[1], double before[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp atomic capture
        before[i] = sum[0] += i;
    }
}
