// Functions: prototypes, static inline, several levels, parameters that are changed inside, void, float and unsigned results.
// test: -i n=48
// check: exact
static int half(int x);
static inline int twice(int x) {
    return x + x;
}
int outside(int a, unsigned b, float c);

static unsigned mix(unsigned a, unsigned b) {
    a ^= b << 3;
    b += a;
    return a ^ b;
}

static void fill(int count, int *to, int with) {
    while (count-- > 0)
        *to++ = with++;
}

void calls(int n, int out[n][4]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        out[i][0] = twice(half(twice(i) + 1));
        out[i][1] = outside(i, mix((unsigned)i, 7u), (float)i * 0.5f);
        int list[5];
        fill(5, list, i);
        out[i][2] = list[0] * list[4];
        out[i][3] = (int)mix(mix(1u, (unsigned)i), mix((unsigned)i, 2u));
    }
}

static int half(int x) {
    return x / 2;
}

int outside(int a, unsigned b, float c) {
    return a + (int)(b % 100u) + (int)c;
}
