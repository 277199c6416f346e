// Running sums in the columns of one array, by a short loop, by statements, and as members of a structure; columns that
// feed each other, or that data choose; running maxima down long columns, by rows: each is one recurrence, or one a column.
// run: -i n=300000 -i m=700 -i k=zeros -i x=uniform:lo=0,hi=9,seed=1
// test: -i n=5000 -i m=300 -i k=zeros -i x=uniform:lo=0,hi=9,seed=1
#include <math.h>
#include <stdint.h>

struct pair {
    int odd, even;
};

void columns(int n, int m, const int k[1], const int x[n], int ranks[n + 1][4], struct pair pairs[n + 1],
             uint32_t fed[n + 1][2], int listed[n + 1][3], int chosen[n + 1][2], float top[40][m]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        for (int c = 0; c < 4; c++)
            ranks[i + 1][c] = x[i] % 4 == c;
        pairs[i + 1].odd = x[i] % 2;
        pairs[i + 1].even = 1 - x[i] % 2;
        fed[i + 1][0] = (uint32_t)x[i];
        fed[i + 1][1] = 1;
        chosen[i + 1][0] = chosen[i + 1][1] = x[i];
        for (int c = 0; c < 3; c++)
            listed[i + 1][c] = (x[i] + c) % 5;
    }
    for (int c = 0; c < 4; c++)
        ranks[0][c] = 0;
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 4; c++)
            ranks[i + 1][c] += ranks[i][c];

    pairs[0].odd = pairs[0].even = 0;
    for (int i = 0; i < n; i++) {
        pairs[i + 1].odd += pairs[i].odd;
        pairs[i + 1].even += pairs[i].even;
    }

    fed[0][0] = fed[0][1] = 1;
    for (int i = 0; i < n; i++) {
        fed[i + 1][0] += fed[i][0] + fed[i][1]; // of both before
        fed[i + 1][1] += 3 * fed[i][0];
    }

    chosen[0][0] = chosen[0][1] = 0;
    for (int i = 0; i < n; i++) {
        chosen[i + 1][0] += chosen[i][0];
        chosen[i + 1][k[0]] += 3; // the same element, perhaps
    }

    int sums[3] = {0};
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 3; c++) {
            sums[c] += listed[i + 1][c];
            listed[i + 1][c] = sums[c];
        }

#pragma omp parallel for
    for (int j = 0; j < m; j++)
        for (int r = 0; r < 40; r++)
            top[r][j] = sinf((float)(j * 40 + r));
    for (int r = 1; r < 40; r++)
        for (int j = 0; j < m; j++)
            top[r][j] = fmaxf(top[r][j], top[r - 1][j]);
}
