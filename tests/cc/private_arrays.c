// Arrays in clauses: private ones belong to the program, copies of an array's values begin with these; what the last
// iteration leaves is the CPU's.
// build: -fdouble=pair
#include <stdio.h>

#define N 60
enum { FEW = 5 };

// At file scope, as programs that were Fortran have them; one that a function of the region means, too.
static float line[N], table[4] = {1, 2, 3, 4};
float both[3][2];
struct mark {
    int at;
    float by;
};
static float of_table(int i) { return table[i % 4]; }

int main(void) {
    float own[3][4], start[2] = {0.5f, 2}, out[N], last[2] = {0, 0};
    int counts[FEW], sums[N];
#pragma omp parallel for private(own, counts) // GPU
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < 12; k++)
            own[k / 4][k % 4] = (float)(i + k);
        for (int k = 0; k < FEW; k++)
            counts[k] = i * k;
        out[i] = own[2][3] + own[0][i % 4];
        sums[i] = counts[FEW - 1] - counts[1];
    }
#pragma omp parallel for firstprivate(start) // GPU
    for (int i = 0; i < N; i++) {
        start[0] = (float)i;
        out[i] += start[0] * start[1];
    }
    double grid[2][3] = {{1, 2, 3}, {4, 5, 6}};
    struct mark marks[3] = {{1, 0.5f}, {2, 1.5f}, {3, 2.5f}};
#pragma omp parallel firstprivate(grid, marks) // GPU
    {
        grid[1][2] = 10;
        marks[1].at = 7;
#pragma omp for
        for (int i = 0; i < N; i++)
            out[i] += (float)(grid[i % 2][i % 3] + grid[1][2]) + (float)marks[i % 3].at * marks[1].by;
    }
#pragma omp parallel for firstprivate(table) // GPU
    for (int i = 0; i < N; i++) {
        table[0] = (float)(i * 2);
        out[i] += table[0] * table[3];
    }
    printf("%g %d %g\n", grid[1][2], marks[1].at, (double)table[0]);
#pragma omp parallel for lastprivate(last) // CPU: lastprivate(last) of an array
    for (int i = 0; i < N; i++)
        last[0] = last[1] = out[i];
#pragma omp parallel for private(line, both) // GPU
    for (int i = 0; i < N; i++) {
        for (int k = 0; k <= i; k++)
            line[k] = (float)(k * i);
        both[2][1] = line[i / 2];
        out[i] += line[i] + both[2][1];
    }
#pragma omp parallel for private(table) // CPU: private(table) of an array
    for (int i = 0; i < N; i++) {
        table[1] = (float)i;
        out[i] += of_table(i) + table[1];
    }
    line[5] += both[2][1] + out[9];
    printf("%g %g %g\n", (double)line[5], (double)out[17], (double)table[1]);
    printf("%g %g %g %d\n", (double)out[3], (double)start[0], (double)last[0], sums[7]);
    return 0;
}
