#include "field.h"

real field[NX][NY][NZ];
int steps_done;

void field_init(real height) {
    for (int i = 0; i < NX; i++)
        for (int j = 0; j < NY; j++)
            for (int k = 0; k < NZ; k++)
                field[i][j][k] = (i == NX / 2 && j == NY / 2) || k == 0 ? height : 0;
    steps_done = 0;
}

real field_sum(void) {
    double sum = 0;
#pragma omp parallel for collapse(2) reduction(+ : sum) // CPU: double
    for (int i = 0; i < NX; i++)
        for (int j = 0; j < NY; j++)
            for (int k = 0; k < NZ; k++)
                sum += field[i][j][k];
    return (real)sum;
}
