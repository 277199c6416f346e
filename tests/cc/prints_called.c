// Functions that regions call print, too, and what prints may name stdout. A function prints as often as on the CPU where its calls stand in
// iterations, or are one thread's; what each thread says by one is for the CPU, and so are warnings that a run comes to.
#include <stdio.h>
#include <stdlib.h>

enum { N = 96 };
static float x[N];
static float total;

static void line(const char *end) { printf("%s", end); }
static void part(int i, float v) {
    fprintf(stdout, "%3d: %6.2f", i, v);
    fputs(" of them", stdout);
    fputc(v > 60 ? '!' : '.', stdout);
    putc('\n', stdout);
}
static int report(int i, float v) { // by another function
    if (i % 24 != 5) return 0;
    part(i, v);
    return 1;
}
static float checked(float v, int limit) {
    if (limit < 0) {
        printf("limit %d\n", limit);
        exit(1);
    }
    if (v > (float)limit) (void)printf("above %d\n", limit);
    return v;
}
static void hello(void) { puts("a thread"); }
static void warn(int i) {
    if (i == 3) fprintf(stderr, "three\n");
}

int main(int argc, char **argv) {
    int said = 0;
#pragma omp parallel for schedule(static, N) reduction(+ : said) // CPU: printf: %s takes a string literal here
    for (int i = 0; i < N; i++) {
        x[i] = (float)i * 1.25f;
        said += report(i, x[i]);
        if (i == 90) line("a line\n");
    }
#pragma omp parallel for schedule(static, N) reduction(+ : said) // GPU
    for (int i = 0; i < N; i++)
        said += report(i, x[i]);
#pragma omp parallel for schedule(static, N) // GPU
    for (int i = 0; i < N; i++) {
        x[i] = checked(x[i] + 0.25f, 100) - 0.25f;
        if (i % 40 == 1) {
            fprintf(stdout, "%d %g %s\n", i, x[i], "times");
            fflush(stdout);
        }
    }
#pragma omp parallel // GPU
    {
#pragma omp for reduction(+ : total)
        for (int i = 0; i < N; i++)
            total += x[i];
#pragma omp single
        {
            checked(total, 7);
            fputs("the sum is ", stdout);
            fprintf(stdout, "%.2f%c", total, '\n');
        }
#pragma omp for
        for (int i = 0; i < N; i++)
            x[i] += 1;
    }
#pragma omp parallel // CPU: `puts` stays on the CPU
    {
#pragma omp for
        for (int i = 0; i < N; i++)
            x[i] += 1;
        hello();
    }
#pragma omp parallel for // CPU at run time: 'a line to stderr' failed
    for (int i = 0; i < N; i++) {
        x[i] += 1;
        warn(i);
    }
    fprintf(argc > 1 ? stderr : stdout, "%d %.2f %s\n", said, x[9], argc > 1 ? argv[1] : "");
    return 0;
}
