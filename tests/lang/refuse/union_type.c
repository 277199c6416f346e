// A union of more than one word: the bits of a value are had by memcpy, too.
// test: -i n=16
// error: 8:19: members of a union are int, unsigned or float
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        union {
            float f[2];
            unsigned u;
        } v;
        v.f[0] = 1.0f;
        x[i] = (float)v.u;
    }
}
