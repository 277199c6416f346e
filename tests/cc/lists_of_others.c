// Lists in a thread's own array of which a place is read that the iteration has not stored: one that the caller says, in front of the first,
// and any place, where a counter of 4294967295 says that there is none.
#include <stdio.h>
enum { N = 48, M = 64 };
static int list[M], other[M], x[N], y[N];
#pragma omp threadprivate(list, other)

static void behind(int first) {
    for (int t = 0; t < 3; t++) { // CPU, the loop: 'list' is a variable of each thread, and what one left in it may be used here: the loop's regions move one by one (line 10)
#pragma omp parallel for schedule(static) // GPU
        for (int i = 0; i < N; i++) {
            int end = 3;
            for (int j = 0; j < 16; j++)
                if (x[(i + j) % N] > 5) list[end++] = j;
            while (first < end) {
                y[i] += list[first];
                if (y[i] > 5) break;
                y[i]++;
            }
        }
#pragma omp parallel for schedule(static)
        for (int i = 0; i < N; i++) {
            for (int k = 0; k < M; k++)
                list[k] = i + k + t;
            x[i] = (x[i] + y[i] + list[3]) & 7;
        }
    }
}

static void none(void) {
    for (int t = 0; t < 3; t++) { // CPU, the loop: 'other' is a variable of each thread, and what one left in it may be used here: the loop's regions move one by one (line 32)
#pragma omp parallel for schedule(static) // GPU
        for (int i = 0; i < N; i++) {
            unsigned end = 0;
            for (int j = 0; j < 4; j++)
                if (x[(i + j) % N] > 5) other[end++] = j;
            if (end == 0) end = 4294967295u;
            for (unsigned k = 0; k < end; k++) {
                if (k > 6) break;
                y[i] += other[k];
            }
        }
#pragma omp parallel for schedule(static)
        for (int i = 0; i < N; i++) {
            for (int k = 0; k < M; k++)
                other[k] = i + k + t;
            x[i] = (x[i] + y[i] + other[3]) & 7;
        }
    }
}

int main(int argc, char **argv) {
    (void)argv;
    for (int i = 0; i < N; i++)
        x[i] = i * 7 % 11 % 9;
    behind(argc);
    none();
    unsigned sum = 0;
    for (int i = 0; i < N; i++)
        sum = sum * 31 + (unsigned)y[i] + (unsigned)x[i];
    printf("%u\n", sum);
    return 0;
}
