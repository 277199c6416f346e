// What a region wrote stays on the device until the program touches it, in any of these ways.
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 40000 };
struct cell {
    int kind;
    float heat[3];
};
static float before, fixed[N + 3], after;
static int hits[N];
static struct cell cells[N / 2];

static void scale(int n, float *x, float by) {
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++)
        x[i] = x[i] * by + 1;
}
static void combine(int n, const float *x, const float *y, float *to) {
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++)
        to[i] = x[i] - y[i] + to[i];
}
static double sum(const float *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++)
        s += x[i] * (i % 13);
    return s;
}
static int by_value(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}
static void *reader(void *x) {
    static double sums[8];
    static int used;
    double *mine = &sums[__atomic_fetch_add(&used, 1, __ATOMIC_RELAXED)];
    *mine = sum(x, N);
    return mine;
}

static void files(float *x, float *y) {
    FILE *f = tmpfile();
    if (!f) return;
    scale(N, x, 1.5f);
    printf("%zu ", fwrite(x, sizeof *x, N, f));
    rewind(f);
    scale(N, y, 0.5f);
    printf("%zu %g\n", fread(y, sizeof *y, N, f), sum(y, N));
    scale(N, y, 0.25f);
    fflush(f);
    int fd = fileno(f);
    printf("%ld ", (long)pwrite(fd, y, N * sizeof *y, 0));
    scale(N, x, 0.75f);
    lseek(fd, 0, SEEK_SET);
    printf("%ld %g\n", (long)read(fd, x, N * sizeof *x), sum(x, N));
    fclose(f);
}

static void threads(float *x) {
    pthread_t ids[4];
    void *back;
    scale(N, x, 0.5f);
    for (int i = 0; i < 4; i++)
        pthread_create(&ids[i], NULL, reader, x);
    for (int i = 0; i < 4; i++) {
        pthread_join(ids[i], &back);
        printf("%g ", *(double *)back);
    }
    printf("\n");
}

static void child(float *x) {
    scale(N, x, 1.25f);
    fflush(stdout);
    pid_t id = fork();
    if (id == 0) {
        x[1] += 1;
        printf("child %g\n", sum(x, N));
        fflush(stdout);
        _exit(0);
    }
    waitpid(id, NULL, 0);
    scale(N, x, 0.5f);
    printf("parent %g\n", sum(x, N));
}

static float *memory(float *x) {
    scale(N, x, 0.5f);
    float *more = realloc(x, 2 * N * sizeof *x);
    if (!more) exit(1);
    memmove(more + N, more, N * sizeof *more);
    scale(2 * N, more, 0.5f);
    printf("%g\n", sum(more, 2 * N));
    for (int i = 0; i < 3; i++) { // an address comes again
        float *other = malloc(N * sizeof *other);
        if (!other) exit(1);
        memset(other, 0, N * sizeof *other);
        scale(N, other, (float)i);
        if (i == 1) printf("%g\n", other[N - 1]);
        free(other);
    }
    return more;
}

int main(void) {
    float *x = malloc(N * sizeof *x), *y = calloc(N, sizeof *y), *z;
    if (!x || !y || posix_memalign((void **)&z, 64, N * sizeof *z)) return 1;
    for (int i = 0; i < N; i++)
        x[i] = z[i] = (float)(i % 100), fixed[i + 1] = 1;
    for (int t = 0; t < 6; t++) { // pointers go round
        combine(N, x, y, z);
        float *last = z;
        z = y, y = x, x = last;
        scale(N, fixed, 0.5f);
        before += fixed[0], after += fixed[N - 1] + fixed[N + 2];
        if (t == 3) printf("%g\n", y[N / 3]);
    }
    printf("%g %g %g %g %g\n", sum(x, N), sum(y, N), sum(z, N), before, after);
    for (int t = 0; t < 4; t++) {
#pragma omp parallel for // GPU: 4 calls, 4 dispatches
        for (int i = 0; i < N; i++) {
            hits[i] += i ^ t;
            if (i < N / 2) cells[i].heat[1] += (float)hits[i], cells[i].kind = hits[i] & 7;
        }
        if (t == 2) hits[7] = 1000, cells[N / 4].kind = -1;
        if (t == 1) printf("%d %g\n", hits[N - 2], cells[3].heat[1]);
    }
    long total = 0;
    for (int i = 0; i < N; i++)
        total += hits[i] * (i % 7L) + cells[i / 2].kind;
    printf("%ld\n", total);
    files(x, y);
    threads(x);
    child(x);
    scale(N, x, -1);
    qsort(x, N, sizeof *x, by_value);
    printf("%g %g\n", x[0], x[N - 1]);
    x = memory(x);
    scale(N, y, 2); // never looked at
    scale(N, z, 2);
    free(x), free(y);
    printf("%g\n", z[17]);
    return 0;
}
