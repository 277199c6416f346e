// programs/grids/heat.c, several steps an exchange: a block loads a tile with a rim as wide as it makes steps, makes them in shared memory (each
// step spoils one cell more of the rim), and writes what is still right. Every cell gets the program's bits.
#include "common.cuh"

enum { WIDE = 64 }; // columns, and rows, of a tile with its rim; 512 threads hold 8 rows of a column each

template <int STEPS>
static __global__ void __launch_bounds__(512) tiles(int n, const float *now, float *next) {
    constexpr int HIGH = 64, OWN_COLUMNS = WIDE - 2 * STEPS, OWN_ROWS = HIGH - 2 * STEPS, EACH = HIGH / 8;
    __shared__ float cells[2][HIGH][WIDE];
    int column = threadIdx.x % WIDE, band = threadIdx.x / WIDE; // 8 bands of EACH rows
    int left = blockIdx.x * OWN_COLUMNS - STEPS, top = blockIdx.y * OWN_ROWS - STEPS, j = left + column;
    float mine[EACH];
#pragma unroll
    for (int r = 0; r < EACH; r++) {
        int i = top + band * EACH + r;
        mine[r] = i >= 0 && i < n && j >= 0 && j < n ? now[(size_t)i * n + j] : 0.0f;
        cells[0][band * EACH + r][column] = mine[r];
    }
    __syncthreads();
#pragma unroll 1
    for (int s = 0; s < STEPS; s++) {
        float(*from)[WIDE] = cells[s & 1], (*to)[WIDE] = cells[(s & 1) ^ 1];
        bool inner_column = column > 0 && column < WIDE - 1 && j > 0 && j < n - 1;
        float above = band ? from[band * EACH - 1][column] : 0.0f, below_last = band < 7 ? from[band * EACH + EACH][column] : 0.0f;
#pragma unroll
        for (int r = 0; r < EACH; r++) {
            int row = band * EACH + r, i = top + row;
            float here = mine[r], below = r < EACH - 1 ? mine[r + 1] : below_last;
            bool moves = inner_column && row > 0 && row < HIGH - 1 && i > 0 && i < n - 1;
            if (moves) mine[r] = 0.2f * (here + from[row][column - 1] + from[row][column + 1] + below + above);
            above = here;
            to[row][column] = mine[r];
        }
        __syncthreads();
    }
    bool is_mine = column >= STEPS && column < WIDE - STEPS && j < n;
#pragma unroll
    for (int r = 0; r < EACH; r++) {
        int row = band * EACH + r, i = top + row;
        if (is_mine && row >= STEPS && row < HIGH - STEPS && i < n) next[(size_t)i * n + j] = mine[r];
    }
}

template <int STEPS> static int start(int n, const float *now, float *next) {
    int across = (n + WIDE - 2 * STEPS - 1) / (WIDE - 2 * STEPS), down = (n + 64 - 2 * STEPS - 1) / (64 - 2 * STEPS);
    tiles<STEPS><<<dim3(across, down), 512, 0, stream()>>>(n, now, next);
    return cudaGetLastError();
}

// One exchange of so many steps: 1, 2, 4, 5, 8, 10 or 16.
extern "C" int heat(int steps, int n, const float *now, float *next) {
    switch (steps) {
    case 1: return start<1>(n, now, next);
    case 2: return start<2>(n, now, next);
    case 4: return start<4>(n, now, next);
    case 5: return start<5>(n, now, next);
    case 8: return start<8>(n, now, next);
    case 10: return start<10>(n, now, next);
    case 16: return start<16>(n, now, next);
    default: return 1;
    }
}
