// Particles add to their cells and eight around, three grids, in a time loop: additions to floats that a device without an instruction for them tries
// again until nobody came in between. Copies of them by fours, or all 27 in the one kernel, took a driver in software gigabytes or a minute.
//
// run: -i n=500 -i steps=3 -i x=uniform:lo=1,hi=30,seed=1
// test: -i n=500 -i steps=3 -i x=uniform:lo=1,hi=30,seed=1
// check: near 1e-3
#define G 64
void scattered_cells(int n, int steps, float x[n], float a[G][G], float b[G][G], float c[G][G]) {
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int p = 0; p < n; p++) {
            int k = (int)x[p];
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++) {
                    float w = (i + 1) * (j + 1) * x[p];
#pragma omp atomic
                    a[k + i][k + j] += w;
#pragma omp atomic
                    b[k + i][k + j] += w * x[p];
#pragma omp atomic
                    c[k + i][k + j] += w * 3.0f;
                }
        }
#pragma omp parallel for
        for (int p = 0; p < n; p++) {
            int k = (int)x[p];
            x[p] += 1e-4f * a[k][k];
            if (x[p] > 60.0f) x[p] = 1.0f;
        }
    }
}
