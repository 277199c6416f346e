// memset to zero and memcpy of arrays, rows and structs; the bits of a float by memcpy.
// test: -i n=40 -i x=arange
// check: exact
#include <stdint.h>
#include <string.h>

struct record {
    int a, b[3];
};

static uint32_t bits_of(float f) {
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}

static float float_of(uint32_t u) {
    float f;
    memcpy(&f, &u, sizeof f);
    return f;
}

void memory(int n, const float x[n], float rows[n][4], uint32_t out[n][4]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float a[4], b[4];
        memset(a, 0, sizeof a);
        a[i % 4] = x[i];
        memcpy(b, a, sizeof b);
        a[0] += 1.0f;
        memcpy(rows[i], b, 4 * sizeof(float));
        struct record r = {i, {1, 2, 3}}, s;
        memcpy(&s, &r, sizeof s);
        memset(&r, 0, sizeof r);
        struct record list[3]; // one of an array, and one that is none
        memcpy(&list[i % 3], &s, sizeof s);
        memcpy(&r, &list[i % 3], sizeof r);
        r.a -= i;
        out[i][0] = (uint32_t)(s.a + s.b[2] + r.a + r.b[1]);
        out[i][1] = bits_of(x[i] - 3.5f);
        out[i][2] = bits_of(float_of(0x3f800000u + (uint32_t)i) * 2.0f);
        int c[6];
        memset(c, 0xff, sizeof c);
        out[i][3] = (uint32_t)c[i % 6];
    }
}
