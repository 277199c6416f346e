// Arrays of structs whose members are all of one type of 8 or 16 bits: pictures, with arrays in them, and one inside another.
// test: -i n=75 -i a=uniform:seed=1,lo=0,hi=255 -i b=zeros -i c=zeros -i seen=zeros
// check: exact
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    uint8_t r, g, b;
} __attribute__((packed)) pixel; // as they are

typedef struct {
    struct {
        short p[2], q;
    } at[2];
    short sum;
} places;
struct marks {
    bool first, second;
};

static pixel mix(pixel a, pixel b) { return (pixel){(uint8_t)((a.r + b.r) / 2), a.g, (uint8_t)(b.b * 3)}; }

void blend(int n, const pixel a[n], pixel b[n], places c[n], struct marks seen[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        pixel v = mix(a[i], a[(i + 1) % n]);
        v.r += 200;
        b[i] = v;
        b[i].g = (uint8_t)(a[i].g * 3 - 7);
        for (int k = 0; k < 2; k++) {
            c[i].at[k].p[1] = (short)(a[i].b * 300 * (k + 1));
            c[i].at[k].q -= c[i].at[k].p[1];
            c[i].sum += c[i].at[k].q >> 2;
        }
        seen[i].second = v.r > 100;
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        b[i % 7].b += 5;
#pragma omp atomic
        c[i % 5].at[i % 2].p[0]++;
    }
}
