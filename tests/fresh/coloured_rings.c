// run: -i n=2048 -i rounds=10 -i a=uniform:lo=0,hi=1000,seed=1 -i b=uniform:lo=0,hi=1000,seed=2
// test: -i n=66 -i rounds=3 -i a=uniform:lo=0,hi=1000,seed=1 -i b=uniform:lo=0,hi=1000,seed=2
// check: exact
// Cells of one colour, every other one of a row, take from their neighbours around the edge: by choices, by % and in one dimension.
// Row by row they are the iterations' inner loop; of odd rows' lengths neighbours at the edge would have one colour.
void coloured_rings(int n, int rounds, int a[n][n], int b[n * n], int odd[n][n - 1]) {
    for (int t = 0; t < rounds; t++) {
        for (int colour = 0; colour < 2; colour++) {
#pragma omp parallel for
            for (int y = 0; y < n; y++)
                for (int x = (y + colour) % 2; x < n; x += 2) {
                    int left = x == 0 ? n - 1 : x - 1, right = x == n - 1 ? 0 : x + 1;
                    int up = y == 0 ? n - 1 : y - 1, down = y < n - 1 ? y + 1 : 0;
                    a[y][x] = (a[y][left] + a[y][right] + 2 * a[up][x] + a[down][x]) % 1000;
                }
#pragma omp parallel for
            for (int y = 0; y < n; y++)
                for (int x = (y + colour) & 1; x < n; x += 2)
                    b[y * n + x] = (b[y * n + (x + 1) % n] + b[y * n + (x + n - 1) % n] +
                                    3 * b[(y + 1) % n * n + x] + b[(y + n - 1) % n * n + x]) % 1000;
#pragma omp parallel for
            for (int y = 0; y < n; y++) // the last cell and the first one have one colour
                for (int x = colour; x < n - 1; x += 2)
                    odd[y][x] = (odd[y][x == n - 2 ? 0 : x + 1] + 2 * odd[y][x == 0 ? n - 2 : x - 1] + a[y][x]) % 1000;
        }
    }
}
