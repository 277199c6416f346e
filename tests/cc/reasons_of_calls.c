// A number that has another value in each call, in a region that needs more than that number: what it needs is the reason of all calls,
// not that the number changes.
#include <stdio.h>

static int at[4096];
static float sum(const float *x, int n) {
    float s = 0;
#pragma omp parallel for reduction(+ : s) // CPU at run time: CPU, 12 calls: where 'x' points, no memory is known
    for (int i = 0; i < n; i++)
        s += x[at[i]];
    return s;
}
int main(void) {
    float here[256], *x = here, s = 0; // what a call hands on by its name would be known
    for (int i = 0; i < 4096; i++)
        at[i] = i * 7 % 100;
    for (int i = 0; i < 256; i++)
        here[i] = i;
    for (int k = 0; k < 12; k++) {
        s += sum(x, 100 + k);
        fflush(stdout); // between the regions
    }
    printf("%g\n", s);
    return 0;
}
