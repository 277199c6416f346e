// A declaration is only looked at where the entry reaches it: here through two functions and a typedef.
// test: -i n=16
// error: 7:19: members of a union are int, unsigned or float
typedef union {
    float f;
    unsigned u;
    unsigned char bytes[4];
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
