// Structs that are aligned as a whole, and as large as that: their members are where they would be, also in a struct around them.
// test: -i n=40 -i v=uniform:seed=1 -i w=uniform:lo=0,hi=100,seed=2
typedef struct __attribute__((aligned(16))) {
    float x, y, z, w;
} float4;
struct pair {
    int id;
    float4 at;
} __attribute__((__aligned__(32)));
void f(int n, float4 v[n], struct pair w[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float4 own = v[i];
        own.x += own.w * 2;
        v[i] = own;
        w[i].at.y += own.x;
        w[i].id = (int)sizeof(struct pair) + i;
    }
}
