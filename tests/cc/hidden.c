// What looks harmless: a pointer to a variable that the region uses too, a switch around a loop, a
// pointer to a number at file scope.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int count = 5, numbers[40];
static int *place = &count;

static void bump(int *at) {
#pragma omp parallel for // CPU at run time: points to 'count'
    for (int i = 0; i < 1; i++)
        at[i] = count + 7;
}

int main(int argc, char **argv) {
    float x[30];
    (void)argv;
#pragma omp parallel for // GPU
    for (int i = 0; i < 30; i++)
        x[i] = (float)sizeof(x) + (float)i;
#pragma omp parallel for // GPU
    for (int i = 0; i < (int)(sizeof(int[30]) / sizeof(x[0])); i++)
        x[i] += (float)sizeof(x[0]);
    bump(place);
    bump(&count);
    int t = 0;
    switch (argc) {
        for (; t < 3; t++) {
        case 1:;
#pragma omp parallel for // GPU
            for (int i = 0; i < 40; i++)
                numbers[i] += i + t;
        }
    }
    printf("%.1f %.1f %d %d %d\n", (double)x[0], (double)x[29], count, numbers[39], t);
    return 0;
}
