// Sums and bests of each thread that are no shares of the whole: what each thread begins with counts as often as there are threads, how often
// a thread found a better one, the best that each had before, the least of the best, the largest of the sums.
#include <omp.h>
#include <stdio.h>

enum { N = 1000 };
static int x[N];

int main(void) {
    int total = 0, times = 0, most = -1, before = 0, least = 1 << 30, largest = 0, start = 3, low = 0, last = -1;
    int table[4] = {0};
    for (int i = 0; i < N; i++)
        x[i] = i * 7919 % 1009;
#pragma omp parallel // GPU
    {
        int own = 1;
#pragma omp for
        for (int i = 0; i < N; i++)
            own += x[i];
#pragma omp atomic
        total += own;
    }
#pragma omp parallel // GPU
    {
        int best = -1, found = 0;
#pragma omp for schedule(static)
        for (int i = 0; i < N; i++)
            if (x[i] > best) {
                best = x[i];
                found++;
            }
#pragma omp atomic
        times += found;
#pragma omp critical
        if (best > most) most = best;
    }
#pragma omp parallel // GPU
    {
        int best = -1, second = -1;
#pragma omp for schedule(static)
        for (int i = 0; i < N; i++)
            if (x[i] > best) second = best, best = x[i];
#pragma omp critical
        before += second;
    }
#pragma omp parallel // GPU
    {
        int best = -1;
#pragma omp for schedule(static)
        for (int i = 0; i < N; i++)
            best = best > x[i] ? best : x[i];
#pragma omp critical
        if (best < least) least = best;
    }
#pragma omp parallel // GPU
    {
        int own = 0;
#pragma omp for schedule(static)
        for (int i = 0; i < N; i++)
            own += x[i];
#pragma omp critical
        if (own > largest) largest = own;
    }
#pragma omp parallel firstprivate(start) // GPU
    {
#pragma omp for schedule(static)
        for (int i = 0; i < N; i++)
            start += x[i] & 1;
#pragma omp atomic
        low += start;
    }
#pragma omp parallel // GPU
    {
        int own[4] = {0, 1, 0, 0}, best = -5;
#pragma omp for schedule(static)
        for (int i = 0; i < N; i++) {
            own[x[i] & 3]++;
            if (x[i] > best) best = x[i];
        }
#pragma omp critical
        {
            for (int k = 0; k < 4; k++)
                table[k] += own[k];
            if (best > last) last = best;
        }
    }
    printf("%d %d %d %d %d %d %d %d %d\n", total, times, most, before, least, largest, low, table[1], last);
    return 0;
}
