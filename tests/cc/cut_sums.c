// Integers to which each thread adds real numbers: each time the fraction is lost, and how much that is in all depends on
// how many threads there are. What compares or converts real numbers adds whole ones.
#include <stdio.h>

enum { N = 99 };
static float x[N];

struct tally {
    int all, above;
};

int main(void) {
    struct tally cut_in = {0, 0}, kept_in = {0, 0};
    int cut = 0, above = 0, whole = 0;
    for (int i = 0; i < N; i++)
        x[i] = (float)i * 0.37f - 11;
    for (int t = 0; t < 2; t++) { // CPU, the loop: a region in it depends on how many threads there are
#pragma omp parallel num_threads(3) // GPU: 2 calls
        {
            int own = 0;
#pragma omp for
            for (int i = 0; i < N; i++)
                own = own + (x[i] * 2 - 1);
#pragma omp atomic
            cut += own;
        }
    }
    for (int t = 0; t < 2; t++) { // GPU: 1 call
#pragma omp parallel num_threads(3)
        {
            int own = 0, part = 0;
#pragma omp for
            for (int i = 0; i < N; i++) {
                own += x[i] > 2.5f;
                part += (int)x[i];
            }
#pragma omp critical
            {
                above += own;
                whole += part;
            }
        }
    }
    for (int t = 0; t < 2; t++) { // CPU, the loop: a region in it depends on how many threads there are
#pragma omp parallel num_threads(3) // GPU: 2 calls
        {
            struct tally own = {0, 0};
#pragma omp for
            for (int i = 0; i < N; i++)
                own = (struct tally){own.all + x[i], own.above + 1};
#pragma omp critical
            cut_in = (struct tally){cut_in.all + own.all, cut_in.above + own.above};
        }
    }
    for (int t = 0; t < 2; t++) { // GPU: 1 call
#pragma omp parallel num_threads(3)
        {
            struct tally own = {0, 0};
#pragma omp for
            for (int i = 0; i < N; i++)
                own = (struct tally){own.all + (int)x[i], own.above + (x[i] > 2.5f)};
#pragma omp critical
            kept_in = (struct tally){kept_in.all + own.all, kept_in.above + own.above};
        }
    }
    printf("%d %d %d\n", cut, above, whole);
    printf("%d %d, %d %d\n", cut_in.all, cut_in.above, kept_in.all, kept_in.above);
    return 0;
}
