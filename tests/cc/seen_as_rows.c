// build: -fdouble=pair
// Room of each thread that is elements in a row, and that a function sees as rows of a size that comes along, as transforms do.
#include <stdio.h>
typedef struct { double re, im; } z;
static z plane[16 * 18], u0[8][16][17];
#pragma omp threadprivate(plane)
static void pass(int n, int xd1, void *ox) { z (*x)[xd1] = (z (*)[xd1])ox; for (int i = 0; i < n; i++) for (int j = 0; j < 4; j++) { z t = x[i][j]; x[i][j].re = t.re - t.im; x[i][j].im = t.re + t.im; } }
int main(void) {
  for (int k = 0; k < 8; k++) for (int j = 0; j < 16; j++) for (int i = 0; i < 17; i++) u0[k][j][i] = (z){i + j * 0.5, k};
#pragma omp parallel for // GPU
  for (int k = 0; k < 8; k++) for (int b = 0; b < 16; b += 4) {
    for (int j = 0; j < 4; j++) for (int i = 0; i < 16; i++) plane[j + 6 * i] = u0[k][b + j][i];
    pass(16, 6, plane);
    for (int j = 0; j < 4; j++) for (int i = 0; i < 16; i++) u0[k][b + j][i] = plane[j + 6 * i];
  }
  double s = 0; for (int i = 0; i < 17; i++) s += u0[3][5][i].re; printf("%g\n", s);
}
