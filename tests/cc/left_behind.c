// What the last iteration of a thread's part leaves in a variable of the thread, for what is behind the loop: the threads are the CPU's.
#include <stdio.h>

#define N 4096
static int x[N], y[N];
static float z[N], w[N];

static void show(const char *name) {
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += x[i] * (i % 7) + y[i] * (i % 5) + z[i] * (float)(i % 3) + w[i];
    printf("%s %.0f\n", name, sum);
}

static void to_next(void) {
    int last;
#pragma omp parallel private(last) // GPU
    {
#pragma omp for
        for (int i = 0; i < N; i++) {
            last = i;
            z[i] = (float)i;
        }
#pragma omp for
        for (int i = 0; i < N; i++)
            x[i] = last + i;
    }
}

static void to_next_pass(void) {
#pragma omp parallel // GPU
    {
        int last = -1;
        for (int t = 0; t < 3; t++) {
#pragma omp for
            for (int i = 0; i < N; i++)
                y[i] += last;
#pragma omp for
            for (int i = 0; i < N; i++) {
                last = i + t;
                z[i] = (float)(i - t);
            }
        }
    }
}

static void rows(void) {
#pragma omp parallel // GPU
    {
        float row[4] = {0, 1, 2, 3};
#pragma omp for
        for (int i = 0; i < N; i++) {
            for (int k = 0; k < 4; k++)
                row[k] = (float)(i * k);
            z[i] = row[i % 4];
        }
#pragma omp for
        for (int i = 0; i < N; i++)
            w[i] = row[i % 4];
    }
}

// Each loop sets what it uses, and one has a variable to itself: a region of any number of threads.
static void rooms(void) {
    int a, b;
#pragma omp parallel private(a, b) // GPU
    {
#pragma omp for
        for (int i = 0; i < N; i++) {
            a = i * 3;
            b = a + 1;
            x[i] = a ^ b;
        }
#pragma omp for private(b)
        for (int i = 0; i < N; i++) {
            a = x[i];
            b = a & 255;
            y[i] = a + b;
        }
    }
}

int main(void) {
    to_next();
    show("next");
    to_next_pass();
    show("pass");
    rows();
    show("rows");
    rooms();
    show("rooms");
    return 0;
}
