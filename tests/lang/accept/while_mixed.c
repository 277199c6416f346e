// Loops around parallel loops, mixed: a switch and jumps in a function, buffers that change places, a search by levels with atomics, whiles
// in a region and an endless loop left by return.
// test: -i n=64
// check: exact
#include <stdlib.h>
static int step(int n, int *a, int *b, int t) {
    for (int k = 0; k < 5; k++) {
        switch ((t + k) % 4) {
        case 0: continue;
        case 1:
#pragma omp parallel for
            for (int i = 0; i < n; i++)
                b[i] += a[(i + k) % n];
            break;
        case 2:
            if (b[3] > 40) return k;
            /* fall through */
        default:
#pragma omp parallel for
            for (int i = 0; i < n; i++)
                b[i] ^= i + k;
        }
        if (b[k] % 9 == 4) break;
    }
    return -1;
}
void f(int n, int x[n], int y[n], int out[8]) {
    int *a = x, *b = y, t = 0;
    do {
        int r = step(n, a, b, t);
        if (r == 2) {
            t += 3;
            continue;
        }
        int *c = a;
        a = b;
        b = c;
        out[0] += r;
    } while (++t < 40 && a[5] < 5000);
    out[1] = t;
    if (a[7] % 2) {
        out[2] = 1;
        if (n > 1000) return;
    }
    unsigned level = 0, changed = 1;
    int dist[n];
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        dist[i] = i == 0 ? 0 : 1000;
    while (changed) {
        changed = 0;
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            if (dist[i] == (int)level)
                for (int e = 1; e < 4; e++) {
                    int to = (i * e + 7) % n, old;
#pragma omp atomic compare capture
                    {
                        old = dist[to];
                        if (dist[to] > (int)level + 1) {
                            dist[to] = (int)level + 1;
                        }
                    }
                    if (old > (int)level + 1) {
#pragma omp atomic write
                        changed = 1;
                    }
                }
        level++;
    }
    out[3] = (int)level;
    for (int i = 0; i < n; i++)
        out[4] += dist[i];
#pragma omp parallel
    {
        int again = 1, rounds = 0;
        while (again) {
            int mine = 0;
#pragma omp for
            for (int i = 0; i < n; i++) {
                x[i] /= 2;
                mine |= x[i] > 3;
                y[i] += mine;
            }
            rounds++;
            again = rounds < 3;
        }
#pragma omp single
        out[5] = rounds;
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        if (out[1] > 100) continue;
        y[i]++;
    }
    for (;;) {
        out[6]++;
        if (out[6] > 3) return;
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            y[i] += out[6];
    }
}
