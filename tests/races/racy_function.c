// The element is chosen in a function.
// test: -i n=32
static void put(float *to, int k, float v) {
    to[k / 2] = v;
}
void f(int n, float a[n], float b[n], float c[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        put(a, i, b[i]);
}
