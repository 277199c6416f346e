// Unions of int, unsigned and float: the bits of one seen as another; in structs, in arrays, behind pointers, initialised.
// test: -i n=40 -i x=uniform:lo=-50,hi=50,seed=1
// check: exact
#include <stdint.h>

union word {
    float f;
    uint32_t u;
    int i;
};
struct tagged {
    int kind;
    union {
        int count;
        float weight;
    };
    union word more[2];
};

static float inverse_root(float v) {
    union {
        float f;
        int i;
    } bits = {v};
    bits.i = 0x5f3759df - (bits.i >> 1);
    return bits.f;
}
static union word swapped(union word w, float *half) {
    w.u = w.u >> 16 | w.u << 16;
    *half *= 0.5f;
    return w;
}

void words(int n, const int x[n], int out[n], struct tagged t[n]) {
    union word shared = {.u = 0x40490fdbu}, table[3] = {{1.5f}, {.i = -2}, [2].u = 7};
    shared.f += 1.0f;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        union word w = {.f = (float)x[i]}, v = w, *p = &v, many[4] = {0};
        p->i ^= 0x00400000;
        many[i & 3] = v;
        many[(i + 1) & 3].f = w.f + shared.f;
        struct tagged s = {.kind = i & 1, .more = {w, {.u = 3u}}};
        if (s.kind)
            s.weight = w.f;
        else
            s.count = x[i];
        v = swapped(v, &w.f);
        w.u += many[2].u >> 8;
        out[i] = (int)(w.u >> 9) + (int)(v.u & 0xffff) + many[0].i / 7 + s.count / 3 + (int)sizeof s;
        out[i] += (int)inverse_root(4.0f + (float)i) * 10 + table[i % 3].i / 5 + (int)(s.more[0].u >> 20);
        t[i].count += s.count;
        t[i].more[1].f = w.f < 100.0f ? 1.5f : 2.5f;
        t[i].kind = t[i].more[0].i + s.kind;
    }
}
