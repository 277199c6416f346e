// Directives whose region one thread runs: its iterations may depend on each other where no compiler sees it.
#include <omp.h>
#include <stdio.h>

enum { N = 5000, CLASSES = 64 };
static int count[CLASSES], class[N], sum[N];
static float x[N], y[N];
static int parallel = 0;

static void scale(int n, float by) {
#pragma omp parallel for if (n > 100) // CPU at run time: CPU, 5 calls: where not n > 100, one thread alone runs it
    for (int i = 0; i < n; i++)
        x[i] += by * y[i];
}

static void one_thread(int n) {
#pragma omp parallel for num_threads(1) // CPU: num_threads(1)
    for (int i = 0; i < n; i++)
        count[class[i]]++;
#pragma omp parallel for if (0) // CPU: if(0)
    for (int i = 0; i < n; i++)
        count[class[i]] += 3;
#pragma omp parallel for if (parallel) // CPU at run time: CPU, 3 calls: where not parallel, one thread alone runs it
    for (int i = 0; i < n; i++)
        count[class[i]] += 2;
    for (int t = 0; t < 2; t++)
#pragma omp parallel for num_threads(1)
        for (int i = 1; i < n; i++)
            sum[class[i]] += sum[class[i - 1]] % 7;
}

static void rounds(int n) {
    for (int t = 0; t < 3; t++) { // GPU: 1 call
        if (t != 1)
#pragma omp parallel for if (parallel : n > 50)
            for (int i = 0; i < n; i++)
                y[i] += (float)(i % 3);
        else
#pragma omp parallel for if (omp_get_max_threads() > 1) num_threads(2)
            for (int i = 0; i < n; i++)
                y[i] *= 0.5f;
        scale(n, 0.25f);
    }
    for (int t = 0; t < 2; t++) {
        scale(n, 0.5f);
#pragma omp parallel for if (parallel) // CPU at run time: CPU, 4 calls: where not parallel
        for (int i = 0; i < n; i++)
            sum[class[i]] += i;
    }
}

struct setting {
    int parallel, steps;
};
static void set_by_members(const struct setting *s) {
    for (int t = 0; t < s->steps; t++) { // GPU: 1 call
#pragma omp parallel for if (s->parallel) // CPU at run time: CPU, 3 calls: where not s -> parallel
        for (int i = 0; i < N; i++)
            x[i] += (float)t;
    }
}

int main(void) {
    int all = 0;
    float total = 0;
    for (int i = 0; i < N; i++) {
        class[i] = i * 7 % CLASSES;
        x[i] = (float)(i % 5);
        sum[i] = i;
    }
    for (int t = 0; t < 3; t++)
        one_thread(N - t);
    rounds(N);
    rounds(80);
    set_by_members(&(struct setting){1, 2});
    set_by_members(&(struct setting){0, 3});
    for (int i = 0; i < CLASSES; i++)
        all = (all * 3 + count[i] + sum[i]) % 1000003;
    for (int i = 0; i < N; i++)
        total += x[i];
    printf("%d %g\n", all, (double)total);
    return 0;
}
