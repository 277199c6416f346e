// Steps that store a second array in an order that nobody sees through, and copy it back: a transform, a perfect shuffle,
// bits turned round, two dimensions; and such that must stay as they are: elements left out, places out of memory.
//
// test: -i n=256 -i steps=5 -i re=normal:seed=1 -i im=normal:seed=2
// check: abs 1e-3
#include <math.h>

void shuffled(int n, int steps, float re[n], float im[n], int next[n], int cards[n], int grid[16][n / 16], int half[n],
              int moved[n], int odd[n]) {
    float re2[n], im2[n];
    int cards2[n], grid2[16][n / 16], half2[n], moved2[n], odd2[n];
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        cards[i] = half[i] = moved[i] = odd[i] = i;
        next[i] = (i * 37 + 11) % n;
        grid[i % 16][i / 16] = i * 3;
    }
    for (int len = 1; len < n; len *= 2) {
#pragma omp parallel for
        for (int i = 0; i < n / 2; i++) {
            int p = i / len, q = i % len;
            float angle = -6.2831853f * (float)p * (float)len / (float)n, c = cosf(angle), w = sinf(angle);
            float ar = re[q + len * p], ai = im[q + len * p], br = re[q + len * p + n / 2], bi = im[q + len * p + n / 2];
            re2[q + len * 2 * p] = ar + br;
            im2[q + len * 2 * p] = ai + bi;
            re2[q + len * (2 * p + 1)] = (ar - br) * c - (ai - bi) * w;
            im2[q + len * (2 * p + 1)] = (ar - br) * w + (ai - bi) * c;
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            re[i] = re2[i];
            im[i] = im2[i];
        }
    }
    for (int s = 0; s < steps; s++) {
#pragma omp parallel for
        for (int i = 0; i < n / 2; i++) {
            cards2[2 * i] = cards[i] + s;
            cards2[2 * i + 1] = cards[i + n / 2] - s;
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            cards[i] = cards2[i];
    }
    for (int s = 0; s < steps; s++) {
#pragma omp parallel for collapse(2)
        for (int r = 0; r < 8; r++)
            for (int c = 0; c < n / 16; c++) {
                grid2[2 * r][c] = grid[15 - r][c] + s;
                grid2[2 * r + 1][c] = grid[r][n / 16 - 1 - c];
            }
#pragma omp parallel for collapse(2)
        for (int r = 0; r < 16; r++)
            for (int c = 0; c < n / 16; c++)
                grid[r][c] = grid2[r][c];
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        half2[i] = odd2[i] = moved2[i] = -i;
    for (int s = 0; s < steps; s++) {
#pragma omp parallel for
        for (int i = 0; i < n / 2; i++)
            half2[2 * i] = half[i] + s;
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            half[i] = half2[i];
    }
    for (int s = 0; s < steps; s++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            moved2[next[i]] = moved[i] + s;
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            moved[i] = moved2[i];
    }
    for (int s = 0; s < steps; s++) {
#pragma omp parallel for
        for (int i = 0; i < n / 2; i++) {
            odd2[i] = odd[2 * i] + s;
            if (i % 3) odd2[i + n / 2] = odd[2 * i + 1];
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            odd[i] = odd2[i];
    }
}
