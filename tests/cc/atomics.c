// Doubles and long counters that threads add to under atomic and critical.
// build: -fdouble=pair
#include <math.h>
#include <stdio.h>

static double energy;
static long long hits;

int main(void) {
    enum { N = 5000 };
    static double x[N];
    double sum = 0, square = 0;
    long inside = 0;
    for (int i = 0; i < N; i++)
        x[i] = sin(i * 0.37) * 3;
#pragma omp parallel for // GPU
    for (int i = 0; i < N; i++) {
        double y = x[i] * x[i];
#pragma omp atomic
        sum += y;
        if (y < 1) {
#pragma omp atomic
            inside++;
        }
#pragma omp critical
        {
            square += y * y;
            energy -= y * 0.5;
        }
#pragma omp atomic
        hits += (long long)i * 1000003;
    }
    printf("%.5f %.5f %.5f %ld %lld\n", sum, square, energy, inside, hits);
    return 0;
}
