// A constant index behind the end of an array.
// test: -i n=16
// error: 8:18: index 4 is outside of 't', which has 4 elements
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float t[4] = {0};
        x[i] = t[4];
    }
}
