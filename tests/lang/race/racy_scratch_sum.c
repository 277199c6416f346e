// An array of the entry is shared, too.
// test: -i n=64
// error: 10:9: data race
void f(int n, float out[n]) {
    float total[1];
    total[0] = 0.0f;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        out[i] = (float)i;
        total[0] += out[i];
    }
    out[0] = total[0];
}
