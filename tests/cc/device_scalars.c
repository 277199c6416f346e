// Scalars in `declare target` are no copies in a target: where they change, the CPU runs it. What is only read moves.
#include <stdio.h>
#include <stdlib.h>

enum { N = 2000 };
#pragma omp declare target
static int scale = 3, count;
static int next(void) { return ++count; }
#pragma omp end declare target
static int later = 4, last;
#pragma omp declare target(later)
#pragma omp declare target to(last)
static void set_last(int v) { last = v; }
static float y[N];

int main(void) {
#pragma omp target map(tofrom : y) // GPU
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        y[i] = (float)(i * scale + later);
#pragma omp target // CPU: 'scale' is in `declare target`, and changes in a target that does not name it
    {
        scale = 5;
        y[3] = (float)scale;
    }
#pragma omp target update from(scale)
    printf("%d %g\n", scale, y[3]);
#pragma omp target // CPU: 'later' is in `declare target`
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        if (i == later % 5 + 7) later += 2;
    printf("%d\n", later);
#pragma omp target // CPU: 'last' is in `declare target`
    {
        set_last(7);
        y[2] = (float)last;
    }
    printf("%d %g\n", last, y[2]);
#pragma omp target teams distribute parallel for map(tofrom : count) reduction(+ : count) // GPU
    for (int i = 0; i < N; i++)
        count += i;
    next();
    printf("%d\n", count);
#pragma omp target defaultmap(tofrom : scalar) // GPU
    {
        count += 2;
        y[5] = (float)count;
    }
    printf("%d %g\n", count, y[5]);
#pragma omp target teams distribute parallel for // GPU
    for (int i = 0; i < N; i++)
        y[i] += (float)(count % 10 + last);
    printf("%g\n", y[5]);
    return 0;
}
