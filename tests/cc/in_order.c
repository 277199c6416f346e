// Loops in order, whose counters are private, too: a variable of the function that counts stays what it was, but for lastprivate.
#include <stdio.h>

int main(void) {
    int i = 33, j = 66, k = 7, o = 0, p = 0;
    static int x[100];
#pragma omp parallel for ordered // GPU
    for (i = 0; i < 20; i++) {
#pragma omp ordered
        {
            o = o * 3 + i;
            o %= 10007;
        }
    }
    printf("%d %d\n", o, i);
    i = 55;
#pragma omp parallel // GPU
    {
#pragma omp for ordered
        for (i = 0; i < 20; i++) {
            x[i] = i;
#pragma omp ordered
            p = (p * 3 + x[i]) % 1009;
        }
    }
    printf("%d %d\n", p, i);
#pragma omp parallel for private(j) ordered schedule(static, 1) collapse(2) // GPU
    for (i = 0; i < 5; i++)
        for (k = 0; k < 4; k++) {
            j = i * 2 + k;
#pragma omp ordered
            p = (p * 3 + j) % 1009;
        }
    printf("%d %d %d %d\n", p, i, j, k);
#pragma omp parallel for ordered lastprivate(i) // GPU
    for (i = 0; i < 20; i++) {
#pragma omp ordered
        p = (p * 5 + i) % 1009;
    }
    printf("%d %d\n", p, i);
    return 0;
}
