// What a thread keeps from one iteration to the next where it looks as if each set it anew: arrays of which a loop sets a part, what is set behind
// a break, a running product that is kept while it grows; marks of the best so far in an array; sums in a byte; the sum of the bests' places.
#include <stdio.h>

enum { N = 1000 };
static int x[N], out[N], marks[N];

static unsigned digest(const int *a) {
    unsigned h = 0;
    for (int i = 0; i < N; i++)
        h = h * 31u + (unsigned)a[i];
    return h;
}

int main(void) {
    int total = 0, places = 0, most = 0;
    unsigned product = 0;
    for (int i = 0; i < N; i++)
        x[i] = i * 7919 % 1009;
#pragma omp parallel // GPU
    {
        int h[4] = {0};
#pragma omp for
        for (int i = 0; i < N; i++) {
            for (int k = 0; k < i % 4; k++)
                h[k] = i;
            out[i] = h[3 & i] + h[2];
        }
    }
    printf("%u ", digest(out));
#pragma omp parallel // GPU
    {
        int seen = 0;
#pragma omp for
        for (int i = 0; i < N; i++) {
            do {
                if (x[i] & 1) break;
                seen = i;
            } while (0);
            out[i] = seen;
        }
    }
    printf("%u ", digest(out));
#pragma omp parallel // GPU
    {
        unsigned m = 1;
#pragma omp for
        for (int i = 0; i < N; i++)
            m = m * (unsigned)x[i] > m ? m * (unsigned)x[i] : m;
#pragma omp critical
        if (m > product) product = m;
    }
#pragma omp parallel // GPU
    {
        int best = 0;
#pragma omp for
        for (int i = 0; i < N; i++)
            if (x[i] > best) {
                best = x[i];
                marks[i] = 1;
            }
#pragma omp critical
        if (best > most) most = best;
    }
    printf("%u %d %u ", product, most, digest(marks));
#pragma omp parallel // GPU
    {
        unsigned char own = 0;
#pragma omp for
        for (int i = 0; i < N; i++)
            own += x[i] > 3;
#pragma omp atomic
        total += own;
    }
#pragma omp parallel // GPU
    {
        int best = -1, at = 0;
#pragma omp for
        for (int i = 0; i < N; i++)
            if (x[i] > best) {
                best = x[i];
                at = i;
            }
#pragma omp atomic
        places += at;
    }
    printf("%d %d\n", total, places);
    return 0;
}
