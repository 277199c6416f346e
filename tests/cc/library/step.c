#include <string.h>

#include "field.h"

static real next[NX][NY][NZ];

void field_step(real rate) {
#pragma omp parallel for schedule(static, 2) // GPU
    for (int i = 1; i < NX - 1; i++)
        for (int j = 1; j < NY - 1; j++)
            for (int k = 1; k < NZ - 1; k++)
                next[i][j][k] = field[i][j][k] + rate * (field[i - 1][j][k] + field[i + 1][j][k] + field[i][j - 1][k] +
                                                         field[i][j + 1][k] + field[i][j][k - 1] + field[i][j][k + 1] -
                                                         6 * field[i][j][k]);
#pragma omp parallel for // GPU
    for (int i = 1; i < NX - 1; i++)
        for (int j = 1; j < NY - 1; j++)
            for (int k = 1; k < NZ - 1; k++)
                field[i][j][k] = next[i][j][k];
    steps_done++;
}
