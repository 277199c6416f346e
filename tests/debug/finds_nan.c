// The square root of a number that falls below zero at step 5, in one element; before that, a division by zero.
// run: -i n=8 -i steps=9 -i width=3
#include <math.h>
void f(int n, int steps, int width, float x[n][width], float y[n][width]) {
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            for (int j = 0; j < width; j++)
                x[i][j] = (float)(i == 6 && j == 1 ? 4 - t : t);
#pragma omp parallel for collapse(2)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < width; j++)
                y[i][j] = sqrtf(x[i][j]);
        if (t == 2) {
#pragma omp parallel for
            for (int i = 0; i < n; i++)
                x[i][0] = 1.0f / (float)(i - 3);
        }
    }
}
