// A count kept in an array.
// test: -i n=64
// error: 8:9: data race
void f(int n, const float x[n], int count[2]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float v = x[i] * 2.0f;
        count[1] = count[1] + (v > 1.0f);
    }
}
