// Printing and files between the regions of a time loop: the loop stays, its regions go. A file is written and read.
// args: out.txt
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    static float x[300];
    FILE *file = fopen(argc > 1 ? argv[1] : "out.txt", "w+");
    if (!file) return 1;
    for (int t = 0; t < 3; t++) {
#pragma omp parallel for // GPU
        for (int i = 0; i < 300; i++)
            x[i] = x[i] * 0.5f + (float)(i + t);
        printf("step %d: %.3f\n", t, (double)x[100]);
        fprintf(file, "%.3f\n", (double)x[299 - t]);
    }
    rewind(file);
    char line[80];
    while (fgets(line, sizeof line, file))
        fputs(line, stdout);
    fclose(file);
    return remove(argc > 1 ? argv[1] : "out.txt");
}
