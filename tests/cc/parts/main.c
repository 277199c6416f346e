// Regions that call functions of other files, each of which is compiled by itself. The file beside that defines a function is found, but
// it need not be the one that is linked.
#include "parts.h"
#include <stdio.h>

double table[5][3];
int loud;
static double x[300], a[SIZE][SIZE];

int main(void) {
    for (int i = 0; i < 15; i++)
        table[i / 3][i % 3] = 0.25 * i;
    fill(300, x);
    rows(a);
    printf("%.9g %.9g %.9g %.9g\n", x[3], x[299], a[2][5], a[SIZE - 1][SIZE - 1]);
    others(300, x);
    printf("%.9g %.9g\n", x[3], x[299]);
    return 0;
}
