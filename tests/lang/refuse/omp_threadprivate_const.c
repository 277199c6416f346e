// threadprivate of what is the same for all threads.
// test: -i n=16
// error: 5:27: 'table' is const, the same for all threads: leave 'threadprivate' out
static const int table[2] = {1, 2};
#pragma omp threadprivate(table)
void f(int n, int x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] = table[i % 2];
}
