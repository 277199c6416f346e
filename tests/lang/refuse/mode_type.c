// An int of 64 bits.
// test: -i n=4
// error: 4:35: the attribute 'mode' makes another type of this one: use an array, or the type that it stands for
typedef int longer __attribute__((mode(DI)));
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        longer v = i;
        v *= 1000000000;
        x[i] = (float)v;
    }
}
