// Points in clusters: sums into arrays by a reduction, a test of convergence, a file of text that is written and read.
#include <float.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { POINTS = 2000, CLUSTERS = 5, DIMENSIONS = 2 };

int main(void) {
    int(*point)[DIMENSIONS] = malloc(sizeof(int[POINTS][DIMENSIONS])), *cluster = malloc(POINTS * sizeof *cluster);
    int center[CLUSTERS][DIMENSIONS], rounds = 0;
    FILE *file = tmpfile();
    if (!point || !cluster || !file) return 1;
    for (int i = 0; i < POINTS; i++)
        fprintf(file, "%d %d\n", (i * 37) % 1000 + i % CLUSTERS * 2000, (i * 91) % 777);
    rewind(file);
    for (int i = 0; i < POINTS; i++) {
        if (fscanf(file, "%d %d", &point[i][0], &point[i][1]) != 2) return 2;
        cluster[i] = -1;
    }
    fclose(file);
    for (int c = 0; c < CLUSTERS; c++)
        for (int d = 0; d < DIMENSIONS; d++)
            center[c][d] = point[c * 7][d];
    bool changed = true;
    while (changed && rounds < 20) {
        int sum[CLUSTERS * DIMENSIONS] = {0}, count[CLUSTERS] = {0}, moved = 0;
#pragma omp parallel for reduction(+ : moved) // GPU
        for (int i = 0; i < POINTS; i++) {
            int best = 0, nearest = 1 << 30;
            for (int c = 0; c < CLUSTERS; c++) {
                int dx = point[i][0] - center[c][0], dy = point[i][1] - center[c][1], d2 = dx * dx + dy * dy;
                if (d2 < nearest) {
                    nearest = d2;
                    best = c;
                }
            }
            moved += best != cluster[i];
            cluster[i] = best;
        }
#pragma omp parallel for reduction(+ : sum[:CLUSTERS * DIMENSIONS], count[:CLUSTERS]) // GPU
        for (int i = 0; i < POINTS; i++) {
            sum[cluster[i] * DIMENSIONS] += point[i][0];
            sum[cluster[i] * DIMENSIONS + 1] += point[i][1];
            count[cluster[i]]++;
        }
        for (int c = 0; c < CLUSTERS; c++)
            for (int d = 0; d < DIMENSIONS && count[c]; d++)
                center[c][d] = sum[c * DIMENSIONS + d] / count[c];
        changed = moved > 0;
        printf("round %d: %d moved\n", rounds++, moved);
    }
    for (int c = 0; c < CLUSTERS; c++)
        printf("%d %d\n", center[c][0], center[c][1]);
    free(point), free(cluster);
    return 0;
}
