// game_of_life.c - Conway's Game of Life on a torus.
//
// Source: J. H. Conway; M. Gardner, Scientific American, October 1970. A living cell with two or three living
// neighbours lives on, a dead one with three is born. A cell is an int, 0 or 1. `cells` holds the field at the start
// and at the end, alive[t] how many cells live before step t.
//
// A step reads what neighbours wrote in the step before, and overwrites what they read in it: one barrier for both. The
// count's partial sums are on the right side of the same barrier; two sets of them in turn need no second one.
//
// run: -i n=1024 -i steps=1000 -i cells=uniform:lo=0,hi=2,seed=1
// test: -i n=32 -i steps=9 -i cells=uniform:lo=0,hi=2,seed=1
// check: exact
// dispatches: 1
// barriers: 1 a step

void game_of_life(int n, int steps, int cells[n][n], int other[n][n], int alive[steps]) {
    int(*now)[n] = cells, (*next)[n] = other;

    for (int t = 0; t < steps; t++) {
        int count = 0;
#pragma omp parallel for collapse(2) reduction(+ : count)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                int up = i > 0 ? i - 1 : n - 1, down = i < n - 1 ? i + 1 : 0;
                int left = j > 0 ? j - 1 : n - 1, right = j < n - 1 ? j + 1 : 0;
                int around = now[up][left] + now[up][j] + now[up][right] + now[i][left] + now[i][right] +
                             now[down][left] + now[down][j] + now[down][right];
                next[i][j] = around == 3 || (around == 2 && now[i][j] == 1) ? 1 : 0;
                count += now[i][j];
            }
        alive[t] = count;
        int(*old)[n] = now;
        now = next;
        next = old;
    }

    if (steps % 2 == 1) {
#pragma omp parallel for collapse(2)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                cells[i][j] = other[i][j];
    }
}
