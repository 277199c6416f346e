// An array of the iteration itself, always the same element.
// test: -i n=64
// check: exact
void f(int n, float out[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float t[4] = {0};
        for (int k = 0; k < 10; k++)
            t[0] += (float)(i * k);
        out[i] = t[0];
    }
}
