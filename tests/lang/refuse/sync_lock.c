// A lock of GNU C's operations.
// test: -i n=16
// error: 8:16: '__sync_lock_test_and_set' is not supported: on a device the iteration that has a lock may wait for the one that asks for it
void f(int n, int sum[1]) {
    int lock = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        while (__sync_lock_test_and_set(&lock, 1)) {
        }
        sum[0] += i; // and the lock is free again
    }
}
