// printf, puts and putchar, and their like that name stdout, in loops and beside them; no value depends on what is printed.
// test: -i n=32
// check: x exact
#include <stdio.h>
#include <stdbool.h>
static float half(int i) {
    printf("half of %d\n", i);
    return (float)i * 0.5f;
}
void f(int n, float x[n]) {
    printf("%d numbers\n", n);
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        bool even = i % 2 == 0;
        unsigned char small = (unsigned char)i;
        x[i] = half(i);
        if (even) printf("%d: %-8.3f|%+e|%g %s%5s%%\n", i, x[i], x[i], 0.25, "even", "ok");
        for (int k = 0; k < i % 3; k++) {
            (void)printf("%u %#x %o %c %i %hhu %d\n", 3000000000u, i, i, 'a' + k, k, small, even);
            x[i] += 1.0f;
        }
    }
    int rest = n;
    while (rest > 30) {
        rest -= 1;
#pragma omp parallel for
        for (int i = n - 1; i >= 0; i -= 2)
            if (i > 28) {
                putchar('0' + i % 10);
                x[i] += (float)rest;
            }
    }
    fprintf(stdout, "%d are left%s\n", rest, "");
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        if (i % 11 == 0) {
            fputs("100% of ", stdout);
            fputc('0' + i % 10, stdout), putc('\n', stdout);
            fflush(stdout);
            x[i] += 2.0f;
        }
    puts("done");
}
