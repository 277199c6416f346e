// Numbers of threads and of iterations that are no numbers of such, and a row's end: said, and left to the compiler.
// build: -w
#include <stdio.h>

#define NONE 0
static int x[4][8], n = 4;

int main(void) {
    int sum = 0;
#pragma omp parallel for num_threads(NONE) // CPU: argument to 'num_threads' clause must
    for (int i = 0; i < n; i++)
        x[i][1] = i;
#pragma omp parallel for num_threads(-3) // CPU: strictly positive
    for (int i = 0; i < n; i++)
        x[i][2] = i;
#pragma omp parallel for schedule(static, 0) // CPU: argument to 'schedule' clause must
    for (int i = 0; i < n; i++)
        x[i][3] = i;
#pragma omp parallel for schedule(dynamic, -1) // CPU: strictly positive
    for (int i = 0; i < n; i++)
        x[i][4] = i;
#pragma omp parallel for // CPU: index 8 is outside of 'x', which has 8 elements there
    for (int i = 0; i < n - 1; i++)
        x[i][8] = 0;
    for (int i = 0; i < n; i++)
        sum += x[i][1] + 10 * x[i][2];
    printf("%d\n", sum);
    return 0;
}
