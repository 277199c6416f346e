// const, restrict, volatile, inline, register, attributes, _Static_assert, _Alignof, unused parameters, casts to void.
// test: -i n=16 -i x=arange:16 -i y=zeros:16
// check: exact
_Static_assert(sizeof(int) == 4, "int has 32 bits");

__attribute__((always_inline)) static inline float twice(const float v) {
    return v * 2.0f;
}

static int unused(int a, int b) {
    (void)b;
    return a;
}

void qualified(int n, const float *const restrict x, float *restrict y) {
    _Static_assert(_Alignof(float) == 4, "a float is aligned to 4 bytes");
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        register const float a = x[i];
        volatile float b = twice(a);
        y[i] = b + (float)unused(i, 3);
    }
}
