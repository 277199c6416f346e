// Work arrays of each thread: what an iteration has set itself may be anybody's, also where only the call knows how far it is set, or the
// program sets them in between; what it has not set is what an earlier iteration of its thread left there, and sums go from one to the next.
#include <stdio.h>

#define N 1000
static float room[32], state, acc[4], line[40], seen[8];
#pragma omp threadprivate(room, state, acc, line, seen)
static float x[N], y[N], q[4];
static int sizes[2] = {20, 3};

static float part(int i) {
    float s = 0;
    for (int k = 0; k < 32; k++)
        s += room[k] * (float)(k + 1);
    return s + (float)i;
}

static void fill(int n, float *to, float from) {
    for (int k = 0; k < n; k++) {
        from = from * 5 - 100 * (float)(int)(from * 0.05f);
        to[k] = from;
    }
}

static void lines(void) {
    const int n = sizes[0];
#pragma omp parallel for // GPU: 1 call
    for (int i = 0; i < N; i++) {
        fill(n, line, (float)(i % 7));
        for (int k = 1; k < n - 1; k++)
            x[i] += line[k - 1] - line[k + 1];
        x[i] += line[2];
    }
}

static void ends(int n) {
#pragma omp parallel for schedule(static) // CPU at run time: variables of each thread may hold
    for (int i = 0; i < N; i++) {
        fill(n, seen, (float)i);
        x[i] += seen[5];
    }
}

int main(void) {
#pragma omp parallel for schedule(static) // GPU
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < i % 32; k++)
            room[k] = (float)i;
        x[i] = part(i);
    }
#pragma omp parallel // GPU
    {
        state = 1;
#pragma omp for schedule(static)
        for (int i = 0; i < N; i++) {
            state = state * 3 - (state > 100 ? state * 2.5f : 0);
            y[i] = state;
        }
    }
    fill(40, line, 3);
    fill(0, line, 3);
    lines();
    ends(sizes[1]);
#pragma omp parallel // GPU
    {
        for (int k = 0; k < 4; k++)
            acc[k] = 0;
#pragma omp for
        for (int i = 0; i < N; i++)
            acc[i % 4] = acc[i % 4] + 1;
        for (int k = 0; k < 4; k++) {
#pragma omp atomic
            q[k] += acc[k];
        }
    }
    double a = 0, b = 0;
    for (int i = 0; i < N; i++)
        a += x[i], b += y[i];
    printf("%.6g %.6g %g %g\n", a, b, q[0], q[3]);
    return 0;
}
