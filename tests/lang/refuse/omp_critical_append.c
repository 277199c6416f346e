// Two lists, whose places belong to one order.
// test: -i n=16
// error: 8:13: critical
void f(int n, int first[n], int second[n]) {
    int some = 0, others = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp critical
        {
            first[some++] = i;
            second[others++] = i;
        }
    }
}
