// edges_continue.c - a picture in grey and its edges, with `continue` for the border.
//
// test: -i w=61 -i h=23 -i in=uniform:lo=0,hi=255,seed=4
// check: exact
// dispatches: 1
// barriers: 1 in all
void edges_continue(int w, int h, const unsigned char in[h][w][3], unsigned char grey[h][w], unsigned char edge[h][w]) {
#pragma omp parallel for
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            grey[y][x] = (unsigned char)((77 * in[y][x][0] + 150 * in[y][x][1] + 29 * in[y][x][2]) >> 8);
#pragma omp parallel for
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            if (y == 0 || x == 0 || y == h - 1 || x == w - 1) {
                edge[y][x] = 0;
                continue;
            }
            int gx = grey[y - 1][x + 1] + 2 * grey[y][x + 1] + grey[y + 1][x + 1] - grey[y - 1][x - 1] -
                     2 * grey[y][x - 1] - grey[y + 1][x - 1];
            int gy = grey[y + 1][x - 1] + 2 * grey[y + 1][x] + grey[y + 1][x + 1] - grey[y - 1][x - 1] -
                     2 * grey[y - 1][x] - grey[y - 1][x + 1];
            int sum = (gx < 0 ? -gx : gx) + (gy < 0 ? -gy : gy);
            edge[y][x] = (unsigned char)(sum > 255 ? 255 : sum);
        }
}
