// The bits of a float are had by memcpy, not by a union.
// test: -i n=16
// error: 7:9: union
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        union {
            float f;
            unsigned u;
        } v;
        v.f = 1.0f;
        x[i] = (float)v.u;
    }
}
