// A function that is called where a variable ends.
// test: -i n=4
// error: 8:24: the attribute 'cleanup' is not supported
static void add(int *p) { *p += 1; }
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        __attribute__((cleanup(add))) int k = i;
        x[i] = (float)k;
    }
}
