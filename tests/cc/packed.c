// build: -fdouble=pair
// Structs that a pragma or an attribute lays out in another way than C does, and those between them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma pack(push, 1)
struct record {
    char kind;
    int value;
    double weight;
};
#pragma pack(pop)
struct plain {
    int value;
    double weight;
};
// 16 bytes that are aligned to 16 are where they would be, and others are not
typedef struct {
    float x, y, z, w;
} __attribute__((aligned(16))) float4;
struct apart {
    char a;
    _Alignas(2) char b;
    int c;
};
typedef int longer __attribute__((mode(DI)));
typedef int close __attribute__((aligned(2)));
struct close {
    short a;
    close b;
    short c, d, e, f, g;
};

typedef int wide __attribute__((aligned(16)));
static wide some;
struct like {
    char a;
    __typeof__(some) b;
};

enum __attribute__((packed)) kind { LOW, HIGH };
struct thing {
    enum kind kind; // (1 byte)
    int value;
};

static struct thing things[400];
static float4 at[400];
static struct apart apart[400];
static long long far[400];
static void move(int n, struct apart *p) {
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++) {
        at[i].y += at[i].x;
        at[i].w = (float)sizeof at[i];
    }
#pragma omp parallel for // CPU: `packed`, `aligned` and `#pragma pack`
    for (int i = 0; i < n; i++)
        p[i].c += p[i].b;
#pragma omp parallel for // CPU: the attribute 'mode' makes another type of this one
    for (int i = 0; i < n; i++) {
        longer big = i;
        big *= 1000000000;
        far[i] = big;
    }
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++)
        far[i] += things[i].kind == HIGH ? 5 : things[i].value;
#pragma omp parallel for // CPU: how large a struct with `packed`, `aligned` or `#pragma pack` is
    for (int i = 0; i < n; i++)
        far[i] += (long long)sizeof(struct close);
#pragma omp parallel for // CPU: how large a struct with `packed`, `aligned` or `#pragma pack` is
    for (int i = 0; i < n; i++)
        far[i] += (long long)sizeof(struct record);
#pragma omp parallel for // CPU: how large a struct with `packed`, `aligned` or `#pragma pack` is
    for (int i = 0; i < n; i++)
        far[i] += (long long)sizeof(struct like) + some;
}

int main(void) {
    enum { N = 400 };
    struct record *records = malloc(N * sizeof *records);
    struct plain *plains = malloc(N * sizeof *plains);
    for (int i = 0; i < N; i++)
        records[i] = (struct record){(char)(i % 3), i, 0.25 * i};
#pragma omp parallel for // CPU: `packed`, `aligned` and `#pragma pack`
    for (int i = 0; i < N; i++)
        plains[i] = (struct plain){records[i].value, records[i].weight};
    double sum = 0;
#pragma omp parallel for reduction(+ : sum) // GPU
    for (int i = 0; i < N; i++)
        sum += plains[i].weight * plains[i].value;
    for (int i = 0; i < N; i++) {
        at[i].x = (float)i;
        apart[i].b = 2;
        memset(&things[i], 85, sizeof things[i]);
        things[i].kind = i % 3 ? HIGH : LOW;
        things[i].value = i;
    }
    move(N, apart);
    printf("%g %g %d %lld\n", (double)at[9].y, (double)at[9].w, apart[9].c, far[399] + far[398]);
    printf("%g %d\n", sum, (int)sizeof *records);
    return 0;
}
