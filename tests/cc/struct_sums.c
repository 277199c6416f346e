// Sums of structs that are made by literals, as macros of complex numbers do: each thread's share is one of any number of
// shares, unless a member takes what another one was.
// build: -fdouble=pair
#include <stdio.h>

typedef struct {
    double re, im;
} number;
#define NUMBER(a, b) ((number){a, b})
#define ADD(a, b) (number){(a).re + (b).re, (a).im + (b).im}
#define CROSS(a, b) (number){(a).im + (b).re, (a).re + (b).im}

struct tally {
    int all, some;
};
struct small_tally {
    unsigned char all;
    short some;
};

enum { N = 64 };
static number z[N];

int main(void) {
    number sum = NUMBER(1, 2), crossed = {0, 0}, begun = {0, 0};
    for (int i = 0; i < N; i++)
        z[i] = NUMBER(i * 0.5, (i * 7) % 13);
    for (int t = 0; t < 2; t++) { // GPU: 1 call
#pragma omp parallel num_threads(2)
        {
            number own = (number){0.0, 0.0};
#pragma omp for nowait
            for (int i = 0; i < N; i++)
                own = ADD(own, z[i]);
#pragma omp critical
            {
                sum = ADD(sum, own);
            }
        }
    }
    printf("%.6f %.6f\n", sum.re, sum.im);
    for (int t = 0; t < 2; t++) { // CPU, the loop: a region in it depends on how many threads there are
#pragma omp parallel num_threads(2)  // GPU: 2 calls
        {
            number own = {0, 0};
#pragma omp for
            for (int i = 0; i < N; i++)
                own = CROSS(own, z[i]);
#pragma omp critical
            crossed = ADD(crossed, own);
        }
    }
    printf("%.6f %.6f\n", crossed.re, crossed.im);
    for (int t = 0; t < 2; t++) { // CPU, the loop: a region in it depends on how many threads there are
#pragma omp parallel num_threads(2)  // GPU: 2 calls
        {
            number own = (number){3, 4};
#pragma omp for
            for (int i = 0; i < N; i++)
                own = ADD(own, z[i]);
#pragma omp critical
            begun = ADD(begun, own);
        }
    }
    printf("%.6f %.6f\n", begun.re, begun.im);
    struct tally count = {0, 0}, missed = {0, 0};
    int misses = 0;
#pragma omp parallel num_threads(2) // GPU
    {
        struct tally own = {0, 0}; // no sum is what is compared
        int seen = 0;
#pragma omp for
        for (int i = 0; i < N; i++) {
            own = (struct tally){own.all + 1, own.some + 1 != 4};
            seen = seen + 1 >= 4;
        }
#pragma omp critical
        {
            missed = (struct tally){missed.all + own.all, missed.some + own.some};
            misses += seen;
        }
    }
    printf("%d %d %d\n", missed.all, missed.some, misses);
    for (int t = 0; t < 2; t++) { // CPU, the loop: a region in it depends on how many threads there are
#pragma omp parallel num_threads(2)  // GPU: 2 calls
        {
            struct small_tally own = {0, 0}; // each thread's wraps
#pragma omp for
            for (int i = 0; i < N; i++)
                own = (struct small_tally){own.all + i, own.some + 1};
#pragma omp critical
            count = (struct tally){count.all + own.all, count.some + own.some};
        }
    }
    printf("%d %d\n", count.all, count.some);
    return 0;
}
