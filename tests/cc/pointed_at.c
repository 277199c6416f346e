// Variables of a function that pointers lead to: a region that has a copy of one must not miss what the pointer does.
// Integers that a double does not hold; arrays whose size the file does not say.
#include <stdio.h>

enum { N = 1000 };
struct pair {
    float at[4], scale;
};
extern int field[];
static float a[N];
static unsigned long long key[N];

static void scalar(void) {
    float x = 1, *p = &x;
#pragma omp parallel // CPU at run time: 'p' points to 'x'
    {
#pragma omp single
        p[0] = 5;
#pragma omp for
        for (int i = 0; i < N; i++)
            a[i] = x + (float)i;
    }
    printf("%g %g\n", (double)a[0], (double)a[N - 1]);
}

static void members(void) {
    struct pair s, *p = &s;
    float *q = s.at;
    for (int t = 0; t < 3; t++) {
        s = (struct pair){{1, 2, 3, (float)t}, 4};
#pragma omp parallel // GPU: 3 calls
        {
#pragma omp single
            s.at[1] = s.scale + 3;
#pragma omp for
            for (int i = 0; i < N; i++)
                a[i] = s.at[1] * (float)i;
        }
        printf("%g %g %g\n", (double)q[1], (double)p->scale, (double)a[5]);
        q[1] = 0;
    }
}

struct picture {
    int w, h;
    unsigned char data[];
};
static struct {
    struct picture head;
    unsigned char room[6400];
} flipped = {{90, 70}, {1}};

static void behind(struct picture *p) { // the numbers in front of its bytes are none of them
#pragma omp parallel for // GPU
    for (int y = 0; y < p->h; y++) {
        unsigned char *row = p->data + y * p->w;
        for (int l = 0, r = p->w - 1; l < r; l++, r--) {
            unsigned char t = row[l];
            row[l] = row[r];
            row[r] = t;
        }
    }
    int w = p->w, h = p->h;
#pragma omp parallel for // GPU
    for (int y = 0; y < h; y++) {
        unsigned char *row = p->data + y * w;
        for (int l = 0, r = w - 1; l < r; l++, r--) {
            unsigned char t = row[l];
            row[l] = (unsigned char)(row[r] + 1);
            row[r] = t;
        }
    }
    printf("%d %d\n", p->data[0], p->data[89]);
}

static void large(unsigned long long seed, long long less) {
    unsigned long long all = 0;
#pragma omp parallel for // CPU at run time: CPU, 3 calls: integers of more than 53 bits are for the CPU: 'less' is 9007199254740993
    for (int i = 0; i < N; i++)
        key[i] = (seed + (unsigned long long)i) * 0x9E3779B97F4A7C15u - (unsigned long long)less;
    for (int i = 0; i < N; i++)
        all = all * 31 + key[i];
    printf("%llu\n", all);
}

static void no_size(void) {
#pragma omp parallel for // GPU
    for (int i = 0; i < N; i++)
        field[i] += i;
}
int field[N];

int main(void) {
    scalar();
    behind(&flipped.head);
    members();
    large(0x123456789abcdefu, 1);
    large(0xfedcba9876543210u, 1);
    large(7, 9007199254740993);
    large(7, 9007199254740991);
    no_size();
    printf("%d\n", field[N - 1]);
    return 0;
}
