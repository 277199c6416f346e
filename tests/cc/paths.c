// All shortest paths, in a matrix of int at file scope; a loop that is a region as a whole, and levels of a search.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#define N 96
#define FAR (INT_MAX / 4)

static int distance[N][N];
static int head[N + 1], edge[N * 4], level[N];

static void init_graph(void) {
    unsigned state = 12345;
    int count = 0;
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++)
            distance[i][j] = i == j ? 0 : FAR;
        head[i] = count;
        for (int k = 0; k < 4; k++) {
            state = state * 1103515245u + 12345u;
            int to = (int)((state >> 16) % N);
            edge[count++] = to;
            if (distance[i][to] > (int)(state >> 8) % 50 + 1) distance[i][to] = (int)(state >> 8) % 50 + 1;
        }
    }
    head[N] = count;
}

int main(int argc, char *argv[]) {
    int i, j, k, depth = 0, changed = 1;
    int start = argc > 1 ? atoi(argv[1]) : 3;
    init_graph();
    for (i = 0; i < N; i++)
        level[i] = -1;
    level[start] = 0;
    while (changed) { // GPU
        changed = 0;
#pragma omp parallel for reduction(| : changed)
        for (int v = 0; v < N; v++) {
            if (level[v] >= 0) continue;
            for (int e = 0; e < N; e++) // by who leads here
                for (int x = head[e]; x < head[e + 1]; x++)
                    if (edge[x] == v && level[e] == depth) {
                        level[v] = depth + 1;
                        changed |= 1;
                    }
        }
        depth++;
    }
    for (k = 0; k < N; k++) { // GPU
#pragma omp parallel for private(j)
        for (i = 0; i < N; i++)
            for (j = 0; j < N; j++)
                if (distance[i][k] + distance[k][j] < distance[i][j]) distance[i][j] = distance[i][k] + distance[k][j];
    }
    long sum = 0, levels = 0;
    for (i = 0; i < N; i++) {
        levels += level[i] * (i + 1);
        for (j = 0; j < N; j++)
            sum += distance[i][j] < FAR ? distance[i][j] : 1;
    }
    printf("%ld %ld %d\n", sum, levels, depth);
    return sum == 0;
}
