// Five fields on a grid that flow along three axes in turn, as solvers of fluids do: many parallel loops of one shape, with long
// statements, whose loops inside are short enough to be unrolled.
// run: -i flow=uniform:lo=0,hi=1,seed=5 -i field=uniform:lo=0,hi=1,seed=6
// check: abs 1e-5
enum { SIZE = 12 };

static float bend(const float field[SIZE][SIZE][SIZE], int i, int j, int k, int a, int b, int c) {
    return field[i + a][j + b][k + c] - 2.0f * field[i][j][k] + field[i - a][j - b][k - c];
}

static float carry(const float field[SIZE][SIZE][SIZE], const float flow[SIZE][SIZE][SIZE], int i, int j, int k, int a,
                   int b, int c) {
    return field[i + a][j + b][k + c] * flow[i + a][j + b][k + c] -
           field[i - a][j - b][k - c] * flow[i - a][j - b][k - c];
}

static void along(const float field[5][SIZE][SIZE][SIZE], const float flow[SIZE][SIZE][SIZE],
                  float change[5][SIZE][SIZE][SIZE], int a, int b, int c) {
#pragma omp parallel for
    for (int i = 1; i < SIZE - 1; i++)
        for (int j = 1; j < SIZE - 1; j++)
            for (int k = 1; k < SIZE - 1; k++) {
                change[0][i][j][k] +=
                    0.125f * bend(field[0], i, j, k, a, b, c) - 0.25f * carry(field[0], flow, i, j, k, a, b, c);
                change[1][i][j][k] +=
                    0.125f * bend(field[1], i, j, k, a, b, c) - 0.25f * carry(field[1], flow, i, j, k, a, b, c);
                change[2][i][j][k] +=
                    0.125f * bend(field[2], i, j, k, a, b, c) - 0.25f * carry(field[2], flow, i, j, k, a, b, c);
                change[3][i][j][k] +=
                    0.125f * bend(field[3], i, j, k, a, b, c) - 0.25f * carry(field[3], flow, i, j, k, a, b, c);
                change[4][i][j][k] +=
                    0.125f * bend(field[4], i, j, k, a, b, c) - 0.25f * carry(field[4], flow, i, j, k, a, b, c);
            }
}

void flows(const float flow[3][SIZE][SIZE][SIZE], const float field[5][SIZE][SIZE][SIZE],
           float change[5][SIZE][SIZE][SIZE]) {
    along(field, flow[0], change, 1, 0, 0);
    along(field, flow[0], change, 0, 1, 0);
    along(field, flow[0], change, 0, 0, 1);
    along(field, flow[1], change, 1, 0, 0);
    along(field, flow[1], change, 0, 1, 0);
    along(field, flow[1], change, 0, 0, 1);
    along(field, flow[2], change, 1, 0, 0);
    along(field, flow[2], change, 0, 1, 0);
    along(field, flow[2], change, 0, 0, 1);
    along(field, flow[0], change, 1, 0, 0);
    along(field, flow[1], change, 0, 1, 0);
    along(field, flow[2], change, 0, 0, 1);
    along(field, flow[0], change, 1, 0, 0);
    along(field, flow[1], change, 0, 1, 0);
    along(field, flow[2], change, 0, 0, 1);
    along(field, flow[0], change, 1, 0, 0);
    along(field, flow[1], change, 0, 1, 0);
    along(field, flow[2], change, 0, 0, 1);
}
