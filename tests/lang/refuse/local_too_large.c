// A local array for which neither an invocation nor a buffer of all iterations has room.
// test: -i n=4096
// error: 7:15: 'far' has 800000 bytes, and all that an iteration has of its own 800000: it may have 16384, and there is no buffer of up to 134217728 for as many iterations
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float far[200000];
        for (int k = 0; k < 200000; k++)
            far[k] = (float)(i ^ k);
        for (int k = 0; k < 1000; k++)
            x[i] += far[i * 37 + k * 11];
    }
}
