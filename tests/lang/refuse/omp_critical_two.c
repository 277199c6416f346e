// One section reads what another one changes in two steps: in C it never finds them unequal.
// test: -i n=64
// error: 13:13: this 'critical' uses 'high', which another one in the loop changes
void f(int n, int out[1]) {
    int low = 0, high = 0, between = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp critical
        {
            low += i % 7;
            high += i % 7;
        }
#pragma omp critical
        between += high - low;
    }
    out[0] = between;
}
