// A fence of GNU C's.
// test: -i n=16
// error: 7:9: '__sync_synchronize' is not supported: use 'barrier', or leave it out
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        __sync_synchronize();
        x[i] = 1.0f;
    }
}
