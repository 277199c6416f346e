// Lines from sequential code, parallel loops, sequential loops in them and a while: the same text in every strategy as on the CPU.
// run: -i n=6 -i steps=3
#include <assert.h>
#include <stdio.h>
void f(int n, int steps, float x[n], float y[n]) {
    printf("start %d\n", n);
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            x[i] += i * 0.5f + t;
            assert(x[i] < 1000);
            if (i % 2) printf("t=%d i=%d x=%6.2f %s%%\n", t, i, x[i], "ok");
            for (int k = 0; k < 2; k++) printf("  k=%d\n", k);
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            y[i] = x[i] * 2;
            if (i == 3) printf("y %g\n", y[i]);
        }
        printf("step %d done %08.3e\n", t, 1.5 * t);
    }
    int q = 0;
    while (q < 2) {
        q++;
#pragma omp parallel for
        for (int i = n - 1; i >= 0; i--)
            if (i < 2) printf("q %d i %d %u %x %c\n", q, i, 3000000000u + i, i + 255, 'a' + i);
    }
    puts("end 100%");
}
