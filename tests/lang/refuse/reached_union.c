// A declaration is only looked at where the entry reaches it: here through two functions and a typedef.
// test: -i n=16
// error: 4:9: unions are not supported
typedef union {
    float f;
    unsigned u;
} bits;
static unsigned sign(float f) {
    bits b;
    b.f = f;
    return b.u >> 31;
}
static float positive(float f) { return sign(f) ? -f : f; }
static union { int a; } elsewhere;
int main(void) { return elsewhere.a; }
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] = positive(x[i]);
}
