// levels_not.c - values whose conditions are on what they make of each other, so that no block of passes is known without
// what it begins with; conditions on a value alone that others share in part; a loop that would not end but for one.
//
// test: -i n=900 -i m=2 -i key=uniform:lo=0,hi=9,seed=2
// check: exact
void levels_not(int n, int m, const int key[m][n], int p[m][n], int ends[m][10]) {
#pragma omp parallel for
    for (int r = 0; r < m; r++) {
        int a = 0, b = 0, capped = 0, where = -1, shown = 0, some = 0, turn = 0, best = 0, place = 0, hold = 3;
        for (int t = 0; t < n; t++) {
            if (b > 20) a = 0; // a circle
            a += key[r][t];
            if (a % 3 == 0) b = a - b;
            if (capped < 100) capped += key[r][t]; // it is not set but grows
            if (where < 0) { // shown changes on both sides of it
                shown++;
                if (key[r][t] > 8) where = t;
            } else if (key[r][t] == 4)
                shown = 0;
            if (some >= 0 && key[r][t] == 7) some = t - 450; // set again as long as that stays
            if (key[r][t] > best + turn) { // no largest one
                best = key[r][t];
                place = t;
            }
            turn = place & 1;
            if (hold > 2 || key[r][t] > hold) hold = key[r][t];
            p[r][t] = a + b;
        }
        int stop = 0, steps = 0;
        for (int t = 0; t < n; t++) {
            if (!stop) { // ends for those alone that come here in C
                int k = key[r][t];
                while (k != 3 && steps < 5000) {
                    k = (k * 7 + 1) % 10;
                    steps++;
                }
                if (key[r][t] == 9) stop = t;
            }
            p[r][t] += stop;
        }
        ends[r][0] = a;
        ends[r][1] = b;
        ends[r][2] = capped;
        ends[r][3] = where;
        ends[r][4] = shown;
        ends[r][5] = some;
        ends[r][6] = best;
        ends[r][7] = place;
        ends[r][8] = hold;
        ends[r][9] = steps + stop;
    }
}
