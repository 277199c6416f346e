// Two floats are no operand of one atomic operation.
// test: -fdouble=pair -i n=4
// error: 7:13: two floats cannot be updated by one atomic operation: use a reduction
void count(int n, double sum[1]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
#pragma omp atomic
        sum[0] += i;
}
