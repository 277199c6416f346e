// The same of integers of 64 bits.
// test: -i n=64
// error: 7:9: data race: iteration i = 1 writes 'x[1][2]', which iteration i = 0 reads
void f(int n, long long x[n][5]) {
#pragma omp parallel for
    for (int i = 0; i < n - 1; i++)
        x[i][2] = x[i + 1][2];
}
