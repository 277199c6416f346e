// Variables of each thread that stand in functions: they are as those at file scope, where all that their directive names are such.
// build: -fdouble=pair
#include <stdio.h>

enum { N = 400 };
static double made[N], other[N];
static int marks[N];

static double next(double *seed, double a) {
    static int is_set = 0;
    static double r23, r46, t23, t46;
    double t1, t2, t3, t4, a1, a2, x1, x2, z;
    int i, j;
#pragma omp threadprivate(is_set, r23, r46, t23, t46)
    if (is_set == 0) {
        r23 = r46 = t23 = t46 = 1;
        for (i = 1; i <= 23; i++) {
            r23 = 0.50 * r23;
            t23 = 2.0 * t23;
        }
        for (i = 1; i <= 46; i++) {
            r46 = 0.50 * r46;
            t46 = 2.0 * t46;
        }
        is_set = 1;
    }
    t1 = r23 * a, j = (int)t1, a1 = j, a2 = a - t23 * a1;
    t1 = r23 * *seed, j = (int)t1, x1 = j, x2 = *seed - t23 * x1;
    t1 = a1 * x2 + a2 * x1, j = (int)(r23 * t1), t2 = j, z = t1 - t23 * t2;
    t3 = t23 * z + a2 * x2, j = (int)(r46 * t3), t4 = j;
    *seed = t3 - t46 * t4;
    return r46 * *seed;
}

static int count(int of) {
    static __thread int calls;
    return calls += of;
}

static double mixed(double x) {
    static const double by = 0.5;
    static double last;
#pragma omp threadprivate(last)
    last = by * x;
    return last + 1;
}

static double copied(void) {
    static double from;
#pragma omp threadprivate(from)
    double sum = 0;
    from = 3;
#pragma omp parallel copyin(from) reduction(max : sum) // CPU
    sum = from;
    return sum;
}

int main(void) {
    int threads = 0;
    double seed = 314159265.0;
    printf("%.10f\n", next(&seed, 1220703125.0));
#pragma omp parallel // GPU
    {
        double own = 271828183.0;
#pragma omp for schedule(static)
        for (int i = 0; i < N; i++)
            made[i] = next(&own, 1220703125.0);
#pragma omp atomic
        threads++;
    }
    printf("%.10f %.10f %.10f %d\n", made[0], made[77], made[N - 1], threads);
#pragma omp parallel for // GPU
    for (int i = 0; i < N; i++)
        marks[i] = count(i % 3);
#pragma omp parallel for // GPU
    for (int i = 0; i < N; i++)
        other[i] = mixed(made[i]);
    for (int t = 0; t < 2; t++) { // CPU, the loop: 'calls' is a variable of each thread, and what one left in it
#pragma omp parallel for          // GPU: 2 calls
        for (int i = 0; i < N; i++)
            marks[i] += count(i % 3);
    }
    printf("%g\n", copied());
    printf("%d %d %.10f\n", marks[5], marks[N - 1], other[9]);
    return 0;
}
