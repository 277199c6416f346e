// Arrays of double stay on the CPU, unless the user says that floats will do.
#include <stdio.h>

static double a[100];

int main(void) {
    double s = 0;
#pragma omp parallel for // CPU: double
    for (int i = 0; i < 100; i++)
        a[i] = i / 3.0;
#pragma omp parallel for reduction(+ : s) // CPU: double
    for (int i = 0; i < 100; i++)
        s += a[i];
    printf("%.15g %.15g\n", a[7], s);
    return 0;
}
