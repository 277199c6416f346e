// No goto; a loop, break, or a function that returns does it.
// test: -i n=16
// error: 9:13: goto
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        x[i] = 0.0f;
        if (i > 3)
            goto done;
        x[i] = 1.0f;
        done:
        x[i] += 2.0f;
    }
}
