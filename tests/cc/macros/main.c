// Directives that only macros of a header make; and a function of a file that has none.
#include <stdio.h>

#include "loops.h"

int main(void) {
    static float x[1000];
    float sum = 0;
    LOOP // GPU
        for (int i = 0; i < 1000; i++) x[i] = law((float)(i % 10), i % 3);
    SUM(sum) // GPU
    for (int i = 0; i < 1000; i++)
        sum += x[i];
    printf("%.1f\n", (double)sum);
    return 0;
}
