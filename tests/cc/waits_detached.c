// A task that ends when the program says so, behind a target that depends on it: nothing may wait for it in front of that.
#include <omp.h>
#include <stdio.h>

enum { N = 1000 };
static float a[N], b[N], c[N];

static void step(void) {
#pragma omp target teams distribute parallel for nowait depend(in : a[0]) depend(inout : b[0]) map(a, b) // CPU: `detach`
    for (int i = 0; i < N; i++)
        b[i] += a[i];
}

static void work(void) {
    omp_event_handle_t end;
#pragma omp task detach(end) depend(out : a[0]) shared(a)
    a[3] = 5;
    step();
    a[4] = 6;
    omp_fulfill_event(end);
#pragma omp taskwait
}

int main(void) {
#pragma omp parallel
#pragma omp single
    work();
#pragma omp parallel for // GPU
    for (int i = 0; i < N; i++)
        c[i] = b[i] * 2;
    printf("%g %g %g\n", (double)b[3], (double)b[4], (double)c[4]);
    return 0;
}
