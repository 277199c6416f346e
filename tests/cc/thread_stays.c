// What threads do by their numbers that stays on the CPU: loops shared out by hand, schedules of which nobody knows who
// runs what, elements that are more than added to, places found in other ways.
#include <omp.h>
#include <stdio.h>

#define MOST 64
static int n = 1000, x[1000], part[MOST], order[MOST * 8];

static int of_thread(void) { return omp_get_thread_num(); }
static void add(int *to, int value) { *to += value; }

static int sum(void) {
    int all = 0;
    for (int t = 0; t < MOST; t++)
        all += part[t], part[t] = 0;
    return all;
}

static void loops(void) {
#pragma omp parallel // CPU: this loop is shared out by the thread's number
    {
        int id = omp_get_thread_num(), count = omp_get_num_threads();
        int first = id * n / count, end = (id + 1) * n / count;
        for (int i = first; i < end; i++)
            part[id] += x[i];
    }
    printf("%d\n", sum());
#pragma omp parallel // CPU: shared out
    {
        int i, id = omp_get_thread_num();
        for (i = id; i < n; i += omp_get_num_threads()) // whose counter is asked for
            part[id] += x[i];
        part[id] += i >= n;
    }
    printf("%d\n", sum() > 0);
#pragma omp parallel for schedule(dynamic) // CPU: not known with this schedule
    for (int i = 0; i < n; i++)
        part[omp_get_thread_num()] += x[i];
    printf("%d\n", sum());
#pragma omp parallel for collapse(2) // CPU: more than for
    for (int i = 0; i < 10; i++)
        for (int k = 0; k < 10; k++)
            part[omp_get_thread_num()] += i * k;
    printf("%d\n", sum());
#pragma omp parallel for // CPU: omp_get_thread_num
    for (int i = 0; i < n; i++)
        part[of_thread()] += x[i];
    printf("%d\n", sum());
}

static void elements(void) {
#pragma omp parallel for // CPU: more than added to
    for (int i = 0; i < n; i++)
        part[omp_get_thread_num()] = part[omp_get_thread_num()] + x[i];
    printf("%d\n", sum());
#pragma omp parallel for // CPU: more than added to
    for (int i = 0; i < n; i++) {
        int id = omp_get_thread_num();
        part[id] += x[i];
        x[i] += part[id] < 0;
    }
    printf("%d\n", sum());
#pragma omp parallel for // CPU: decides
    for (int i = 0; i < n; i++)
        if (omp_get_thread_num() >= 0) {
#pragma omp atomic
            part[0] += i == 7;
        }
    printf("%d\n", sum());
#pragma omp parallel for // CPU: more than added to
    for (int i = 0; i < n; i++)
        *(part + omp_get_thread_num()) += x[i];
    printf("%d\n", sum());
#pragma omp parallel for // CPU: a function is called with
    for (int i = 0; i < n; i++)
        add(&part[omp_get_thread_num()], x[i]);
    printf("%d\n", sum());
#pragma omp parallel for // CPU: more than added to
    for (int i = 0; i < n; i++) {
        int *own = part + omp_get_thread_num();
        *own += x[i];
    }
    printf("%d\n", sum());
}

static void numbers(void) {
    int last = 0;
#pragma omp parallel // CPU: more than added to
    {
        int id = omp_get_thread_num(), at = id;
#pragma omp for
        for (int i = 0; i < n; i++) {
            part[at] += x[i];
            at = at == id ? id + 32 : id;
        }
    }
    printf("%d\n", sum());
#pragma omp parallel // CPU: changes
    {
#pragma omp for lastprivate(last)
        for (int i = 0; i < n; i++) {
            last = omp_get_thread_num();
            part[last] += x[i];
        }
    }
    printf("%d %d\n", sum(), last + 1 == omp_get_max_threads());
#pragma omp parallel // CPU: a clause names
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
#pragma omp parallel for // CPU: more than added to
    for (int i = 0; i < n; i++)
        order[omp_get_thread_num() * 8 + i % 8] = i % 8;
    printf("%d %d\n", order[3], order[7]);
}

typedef struct {
    int many;
    float sum;
} account;
static void accounts(void) {
    static account of[MOST];
    float all = 0;
#pragma omp parallel for // CPU: keep what is updated in an array of its own
    for (int i = 0; i < n; i++)
        of[omp_get_thread_num()].sum += (float)x[i];
    for (int t = 0; t < MOST; t++)
        all += of[t].sum;
    printf("%g\n", all);
}

static void names(int eight) {
    int start[MOST];
#pragma omp parallel // CPU: means something else
    {
        int *own = order + omp_get_thread_num() * eight;
#pragma omp for
        for (int i = 0; i < n; i++) {
            int eight = i % 8;
            own[eight] += x[i] > eight;
        }
    }
#pragma omp parallel // CPU: changes
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

int main(void) {
    for (int i = 0; i < n; i++)
        x[i] = i * 7 % 100;
    loops();
    elements();
    numbers();
    names(8);
    accounts();
    return 0;
}
