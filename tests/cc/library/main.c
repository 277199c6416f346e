// A field in three dimensions in a library of its own: extern arrays, an archive, dependency files; a report every tenth step.
#include <stdio.h>
#include <stdlib.h>

#include "field.h"

int main(int argc, char **argv) {
    int steps = argc > 1 ? atoi(argv[1]) : 30;
    field_init(100);
    while (steps_done < steps) {
        field_step(0.1f);
        if (steps_done % 10 == 0) printf("%3d %.1f %.3f\n", steps_done, (double)field_sum(), (double)field[NX / 2][NY / 2 + 1][NZ / 2]);
    }
    return field[0][0][1] != 0;
}
