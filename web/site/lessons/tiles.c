// tiles.c - the product of two matrices: every iteration computes a tile of TILE x TILE elements.
//
// An element alone reads two numbers for a multiplication and an addition, and memory is what limits it. A tile reads
// 2 TILE numbers for TILE x TILE of each, because the numbers stay in registers. -D TILE=1 is the plain product.
//
// run: -i n=1024 -i a=uniform:lo=-1,hi=1,seed=1 -i b=uniform:lo=-1,hi=1,seed=2
// test: -i n=64 -i a=uniform:lo=-1,hi=1,seed=1 -i b=uniform:lo=-1,hi=1,seed=2
// check: abs 1e-3
#ifndef TILE
#define TILE 4
#endif

void tiles(int n, const float a[n][n], const float b[n][n], float c[n][n]) {
#pragma omp parallel for collapse(2)
    for (int row = 0; row < n / TILE; row++)
        for (int col = 0; col < n / TILE; col++) {
            float sum[TILE][TILE] = {{0.0f}};
            for (int k = 0; k < n; k++)
                for (int i = 0; i < TILE; i++)
                    for (int j = 0; j < TILE; j++)
                        sum[i][j] += a[row * TILE + i][k] * b[k][col * TILE + j];
            for (int i = 0; i < TILE; i++)
                for (int j = 0; j < TILE; j++)
                    c[row * TILE + i][col * TILE + j] = sum[i][j];
        }
}
