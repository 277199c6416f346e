// Bit-fields: use shifts and masks.
// test: -i n=16
// error: 5:18: bit-field
struct flags {
    unsigned low : 4, high : 4;
};
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        struct flags f = {1, 2};
        x[i] = (float)f.low;
    }
}
