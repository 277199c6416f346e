// build: -fdouble=pair
// Critical sections of threads before, between and behind long loops of theirs: a seed that each takes in its turn, its generator in doubles (NPB's
// randlc), sums that are joined with the best of all, and what a second loop does with what the section left.
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static const double r23 = 1.0 / (1 << 23), t23 = 1 << 23, r46 = 1.0 / (1 << 23) / (1 << 23), t46 = (double)(1 << 23) * (1 << 23);

static double randlc(double *x, double a) {
    double a1 = (int)(r23 * a), a2 = a - t23 * a1;
    double x1 = (int)(r23 * *x), x2 = *x - t23 * x1;
    double t1 = a1 * x2 + a2 * x1, t2 = (int)(r23 * t1);
    double t3 = t23 * (t1 - t23 * t2) + a2 * x2, t4 = (int)(r46 * t3);
    *x = t3 - t46 * t4;
    return r46 * *x;
}

int main(void) {
    enum { N = 2000 };
    int *key = malloc(N * sizeof *key), i, taken = 0, at = -1;
    double seed = 314159265, total = 0, best = -1, mean[4], s;
#pragma omp parallel private(s, i) num_threads(4) // GPU
    {
        int id = omp_get_thread_num(), threads = omp_get_num_threads();
        int from = id * N / threads, to = (id + 1) * N / threads;
#pragma omp critical
        {
            s = seed + id;
            taken = (taken * 1 + id + 1) % 1000;
        }
        for (i = from; i < to; i++) {
            double x = randlc(&s, 1220703125.0);
            x += randlc(&s, 1220703125.0) + randlc(&s, 1220703125.0);
            key[i] = (int)(512 * x);
        }
        double sum = 0;
        int own = from;
        for (i = from; i < to; i++) {
            sum += sqrt(key[i]);
            if (key[i] > key[own]) own = i;
        }
#pragma omp critical
        {
            total += sum;
            if (key[own] + own * 1e-6 > best) best = key[own] + own * 1e-6, at = own;
        }
        mean[id] = 0;
        for (i = from; i < to; i++)
            mean[id] += key[i] * (1.0 / N);
    }
    long sum = 0;
    for (i = 0; i < N; i++)
        sum += (long)key[i] * (i % 17);
    printf("%ld %d %d %.9g %.9g %.9g\n", sum, taken, at, total, best, mean[0] + mean[3]);
    return 0;
}
