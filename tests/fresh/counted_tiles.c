// run: -i tiles=400 -i x=uniform:lo=0,hi=256,seed=1
// test: -i tiles=9 -i x=uniform:lo=0,hi=256,seed=1
// check: exact
// Each iteration counts into arrays of its own, whose elements several passes update: a histogram of a tile, its limit and its
// table; least and last in a row of the output; updates that others see are not made in any order.
enum { T = 40 };

void counted_tiles(int tiles, const unsigned char x[tiles][T][T], unsigned char table[tiles][256], int marks[tiles][16],
                   int seen[tiles][T * T], unsigned bits[tiles]) {
#pragma omp parallel for
    for (int t = 0; t < tiles; t++) {
        int count[256] = {0}, late[64];
        for (int y = 0; y < T; y++)
            for (int k = 0; k < T; k++)
                count[x[t][y][k]]++;
        int limit = 3 * T * T / 256, rest = 0;
        for (int k = 0; k < 256; k++)
            if (count[k] > limit) {
                rest += count[k] - limit;
                count[k] = limit;
            }
        int sum = 0;
        for (int k = 0; k < 256; k++) {
            sum += count[k] + (k < rest % 256) + rest / 256;
            table[t][k] = sum * 255 / (T * T);
        }
        for (int k = 0; k < 64; k++)
            late[k] = k;
        for (int k = 0; k < T * T; k++) {
            marks[t][x[t][k / T][k % T] & 15] += k - 7;
            late[x[t][k / T][k % T] >> 2] ^= k * 2654435761u >> 8;
        }
        for (int k = 0; k < T * T; k++) // the number of those before
            seen[t][k] = late[x[t][k / T][k % T] & 63]++;
        for (int k = 0; k < 64; k++)
            bits[t] = bits[t] * 31 + late[k];
    }
}
