// What threads do by their numbers that stays on the CPU: schedules of which nobody knows who runs what, a number that
// one thread gives to all, pointers that differ, and that no expression can stand for.
#include <omp.h>
#include <stdio.h>

#define MOST 64
static int n = 1000, x[1000], part[MOST], order[MOST * 8];

static int sum(void) {
    int all = 0;
    for (int t = 0; t < MOST; t++)
        all += part[t], part[t] = 0;
    return all;
}

static void loops(void) {
    int most = 0;
#pragma omp parallel // CPU: not known with this schedule
    {
        unsigned own = 7 + (unsigned)omp_get_thread_num();
#pragma omp for schedule(guided) reduction(+ : most)
        for (int i = 0; i < n; i++) {
            own = own * 5 + 1;
            most += own >> 31 & 0;
        }
    }
    unsigned seed = 1;
#pragma omp parallel // CPU: make it private to the region (line 30)
    {
#pragma omp for firstprivate(seed)
        for (int i = 0; i < n; i++) {
            seed = seed * 5 + 1;
#pragma omp atomic
            most += seed >> 31;
        }
    }
    printf("%d\n", most >= 0);
#pragma omp parallel // CPU: runs a 'single'
    {
        int id = omp_get_thread_num();
#pragma omp single copyprivate(id)
        part[MOST - 1 - id] += 3;
#pragma omp for
        for (int i = 0; i < n; i++) {
#pragma omp atomic
            part[id] += x[i];
        }
    }
    printf("%d\n", sum());
}

static void names(int eight) {
    int start[MOST];
#pragma omp parallel // CPU: a pointer that differs
    {
        int *own = order + omp_get_thread_num() * eight;
#pragma omp for
        for (int i = 0; i < n; i++) {
            int eight = i % 8;
            own[eight] += x[i] > eight;
        }
    }
#pragma omp parallel // CPU: a pointer that differs
    {
        int id = omp_get_thread_num();
        start[id] = id * eight;
        int *own = order + start[id];
#pragma omp for
        for (int i = 0; i < n; i++)
            own[i % 8] += x[i];
    }
    for (int i = 0; i < 16; i++)
        printf("%d ", order[i]);
    printf("\n");
}

// Which sections a thread runs is open, and here that matters.
static void parts(void) {
    int carry = 0, sums[2] = {0};
#pragma omp parallel sections firstprivate(carry) // CPU: it depends on how many threads there are
    {
#pragma omp section
        {
            carry += 2;
            sums[0] = carry;
        }
#pragma omp section
        {
            carry += 3;
            sums[1] = carry;
        }
    }
    printf("%d %d\n", sums[0] >= 2, sums[1] >= 3);
}

int main(void) {
    for (int i = 0; i < n; i++)
        x[i] = i * 7 % 100;
    loops();
    names(8);
    parts();
    return 0;
}
