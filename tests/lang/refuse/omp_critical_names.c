// A section whose two names are the same variable: the sum is of what the count becomes.
// test: -i n=16
// error: 5:13: this 'critical' changes 'count' and uses it by another name
static void step(int *count, const int *seen, int *sum) {
#pragma omp critical
    {
        *count += 1;
        *sum += *seen;
    }
}
void f(int n, int out[2]) {
    int count = 0, sum = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        step(&count, &count, &sum);
    out[0] = count;
    out[1] = sum;
}
