// Functions of the system's library that stay on the CPU, each with a reason that says what else to do.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define N 100
static char text[N], names[N][8];
static int kind[N], sorted[4][25];

static int clock_of(int i) { return i % 60; }

int main(void) {
    int letters = 0, later = 0;
    FILE *out = stdout;
    for (int i = 0; i < N; i++)
        text[i] = "ab 1,C."[i % 7], names[i][0] = text[i];
#pragma omp parallel for reduction(+ : letters) // CPU: functions of ctype.h (isalpha, toupper ...) depend on the program's locale
    for (int i = 0; i < N; i++)
        letters += isalpha((unsigned char)text[i]) != 0;
#pragma omp parallel for // CPU: compare characters
    for (int i = 0; i < N; i++)
        text[i] = (char)toupper((unsigned char)text[i]);
#pragma omp parallel for // GPU
    for (int i = 0; i < N; i++)
        kind[i] = text[i] >= 'A' && text[i] <= 'Z' ? 1 : text[i] >= '0' && text[i] <= '9' ? 2 : 0;
#pragma omp parallel for // CPU: `fputs` stays on the CPU: call it outside of the loops (line 30)
    for (int i = 0; i < N; i++)
        if (kind[i] > 2) fputs("what is that?\n", out);
#pragma omp parallel for // CPU: files stay on the CPU: read and write outside of the region
    for (int i = 0; i < N; i++)
        if (out == NULL) kind[i] = 3;
#pragma omp parallel for reduction(+ : later) // CPU: `time` stays on the CPU
    for (int i = 0; i < N; i++)
        later += time(NULL) < 0;
#pragma omp parallel for // CPU: `atof` stays on the CPU
    for (int i = 0; i < N; i++)
        kind[i] += (int)atof(names[i]);
#pragma omp parallel for // CPU: 'strlen' is not supported; write what it does as a function of your own
    for (int i = 0; i < N; i++)
        kind[i] += (int)strlen(names[i]);
#pragma omp parallel for // GPU
    for (int i = 0; i < N; i++) {
        int free = clock_of(i), sleep = i % 3; // names of such functions
        sorted[i % 4][i / 4] = free * 3 + sleep;
    }
#pragma omp parallel for // CPU: `jrand48` stays on the CPU
    for (int i = 0; i < N; i++) {
        unsigned short seed[3] = {(unsigned short)i, 1, 2};
        kind[i] += jrand48(seed) > 2147483647;
    }
    printf("%d %d %d %d %c\n", letters, later, kind[1], sorted[3][7], text[0]);
    return 0;
}
