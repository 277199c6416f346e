// Variables of each thread that keep what is in them, of several kinds: a histogram that is cleared by each thread and then handed on, a
// table that one region fills and others read, counters and structs that functions of a loop change. Loops whose iterations go to whoever
// has time stay on the CPU with them.
#include <omp.h>
#include <stdio.h>

enum { N = 1000, BINS = 8 };
struct own {
    int n;
    float sum;
};
static float bins[BINS], table[4][5];
static int count, first;
static struct own own;
static int *list;
#pragma omp threadprivate(bins, table, count, first, own, list)
static float x[N], y[N], total[BINS];

static float look(int i) { return table[i % 4][i % 5] + (float)first; }
static void tally(int i) {
    own.n++;
    own.sum += x[i];
}

int main(void) {
    int counts = 0, lists = 0, sums = 0;
    for (int i = 0; i < N; i++)
        x[i] = (float)(i * 7919 % 100);
#pragma omp parallel // GPU
    {
        first = omp_get_thread_num() + 1;
        count = own.n = 0;
        own.sum = 0;
        for (int k = 0; k < 4; k++)
            for (int m = 0; m < 5; m++)
                table[k][m] = (float)(k * first + m);
    }
    for (int t = 0; t < 3; t++) {
#pragma omp parallel // GPU
        {
            for (int k = 0; k < BINS; k++)
                bins[k] = 0;
#pragma omp for schedule(static)
            for (int i = 0; i < N; i++) {
                bins[(int)x[i] % BINS] += (float)(1 + t);
                count++;
                tally(i);
            }
            for (int k = 0; k < BINS; k++) {
#pragma omp atomic
                total[k] += bins[k];
            }
        }
#pragma omp parallel for schedule(static) // GPU
        for (int i = 0; i < N; i++)
            y[i] += look(i);
    }
#pragma omp parallel for schedule(dynamic) // CPU: which thread runs an iteration is not known with this schedule
    for (int i = 0; i < N; i++)
        count += i % 2;
#pragma omp parallel for schedule(dynamic) // GPU
    for (int i = 0; i < N; i++)
        y[i] += (float)(first > 0);
#pragma omp parallel // CPU: 'list' is a variable of each thread, which keeps what is in it, and more than numbers
    list = &count;
#pragma omp parallel reduction(+ : lists) // CPU: 'list' is a variable of each thread, which keeps what is in it, and more than numbers
    lists += *list > 0;
#pragma omp parallel reduction(+ : counts, sums) // GPU
    {
        counts += count + own.n;
        sums += (int)own.sum % 1000 * first;
    }
    float s = 0;
    for (int i = 0; i < N; i++)
        s += y[i] * (float)(i % 3);
    printf("%d %d %d %g %g %g\n", counts, lists, sums, s, total[0], total[7]);
    return 0;
}
