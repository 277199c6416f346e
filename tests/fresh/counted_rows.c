// counted_rows.c - rows whose ends the program itself has computed, gone over by loops of many forms: with a while, down,
// with a break, with the place kept for later, and by iterations that write the ends of others, as far as C lets them.
//
// test: -i rows=150 -i most=40 -i size=uniform:lo=0,hi=41,seed=1 -i x=uniform:lo=-50,hi=50,seed=2
// check: exact
void counted_rows(int rows, int most, const int size[rows], const int x[rows * most], int out[rows][6]) {
    int start[rows + 1], place[rows * most], left[rows];
    start[0] = 0;
    for (int r = 0; r < rows; r++)
        start[r + 1] = start[r] + size[r];
#pragma omp parallel for
    for (int e = 0; e < rows * most; e++)
        place[e] = (e * 7 + 3) % (rows * most);
#pragma omp parallel for
    for (int r = 0; r < rows; r++) {
        int sum = 0, largest = -100, which = -1, e = start[r], hash = 1, below = 0;
        for (int k = start[r]; k < start[r + 1]; k++)
            sum += x[place[k]];
        while (e < start[r + 1]) {
            if (x[place[e]] > largest) {
                largest = x[place[e]];
                which = e;
            }
            e++;
        }
        for (int k = start[r + 1] - 1; k >= start[r]; k--)
            hash = hash * 31 + x[place[k]];
        for (int k = start[r]; k < start[r + 1]; k += 3) {
            if (x[place[k]] == 7) break;
            if (x[place[k]] < 0) continue;
            below++;
        }
        int until = start[r + 1], k = start[r];
        while (k < until) { // its own bound changes
            if (x[place[k]] > 30) until--;
            k++;
        }
        left[r] = size[r];
        int taken = 0;
        while (taken < left[r]) { // an element that the loop writes
            left[r] -= x[place[start[r] + taken]] & 1;
            taken++;
        }
        out[r][0] = sum;
        out[r][1] = largest + e;
        out[r][2] = which;
        out[r][3] = hash;
        out[r][4] = below;
        out[r][5] = k * 1000 + taken;
    }
}
