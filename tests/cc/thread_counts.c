// Regions that count their threads: as many as the CPU has.
#include <omp.h>
#include <stdio.h>

static int out[1000], x[100];

static void count(int *to) {
    int n = 0;
#pragma omp parallel // GPU
    {
#pragma omp critical
        n += 1;
    }
    *to += n;
}

int main(void) {
    int n = 0, many = 0, all = 0, twice = 0, total = 0;
    for (int i = 0; i < 100; i++)
        x[i] = i;
#pragma omp parallel // GPU
    {
#pragma omp atomic
        n++;
    }
#pragma omp parallel // GPU
    {
        int own = 0;
#pragma omp for
        for (int i = 0; i < 100; i++)
            own += x[i];
#pragma omp critical
        out[many++] = own;
    }
#pragma omp parallel reduction(+ : twice) // GPU
    { twice += 2; }
#pragma omp parallel num_threads(3) // GPU
    {
#pragma omp atomic
        total += 100;
    }
    for (int k = 0; k < 3; k++)
        count(&total);
    for (int i = 0; i < many; i++)
        all += out[i];
    int threads = omp_get_max_threads();
    printf("%d %d %d %d %d\n", n == threads, many == threads, all, twice == 2 * threads, total == 300 + 3 * threads);
    return 0;
}
