// A ring buffer of 16 for 64 iterations.
// test: -i n=64
// error: 7:9: data race
void f(int n, int ring[16]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        ring[i & 15] = i * 3;
}
