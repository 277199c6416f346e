// Loops that count and do more in their heads: a second counter, places in a table, `continue` and `break` between them, loops
// around parallel loops, heads in which the order matters, and narrow counters that wrap on their way to what a test adds.
// test: -i n=40 -i steps=6 -i x=arange
// check: exact
void counters(int n, int steps, const int x[n], int a[n][15], int b[n], int order[8]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int k, j, s = 0, t = 0;
        for (int dy = -2, at = 0; dy <= 2; dy++)
            for (int dx = -2; dx <= 2; dx++, at++) { // a place that goes on
                if ((dx + dy + i) % 3 == 0) continue;
                if (dx * dy == 4 && i % 5 == 0) break;
                s = s * 3 + at;
            }
        a[i][0] = s;
        for (j = 0, k = i; j < 7; j++, k += j & 1) // mentions the counter: what it is then matters
            t += j * k;
        a[i][1] = t + j + k;
        for (j = 3, k = 10; j < k; j++, k--) // they meet
            t ^= j * k;
        a[i][2] = t + j * 100 + k;
        k = 5;
        for (j = k, k = 1; j < 9; j++, k *= 2) // the first value is of k before
            if (x[i] & j) continue;
            else t += k;
        a[i][3] = t + k;
        for (k = 2, j = k; j <= 6; k += 3, j += 2) // and here of k behind
            t -= j + k;
        a[i][4] = t + k + j;
        for (j = 9, k = 0; j > i % 9; --j, ++k)
            if (k == 4) break;
        a[i][5] = j * 10 + k; // both live on
        int c = 0, d = 0;
        for (int q = 0; q < 5; q++, c += q, d++) // three
            if (q == 2) continue;
        a[i][6] = c * 10 + d;
        for (unsigned q = 0, w = 1; q < 4u; w <<= 1, q++)
            t += (int)w;
        a[i][7] = t;
        int deep = 0;
        for (int p = 0, r = 0; p < 3; p++, r += 10)
            for (int q = 0, v = r; q < 3; q++, v++) {
                if (q == p) continue;
                deep = deep * 2 + v;
            }
        a[i][8] = deep;
        int m = 6;
        for (int q = 0, r = 0; q < m; q++, m -= r, r++) // the end moves
            deep += q;
        a[i][9] = deep + m;
        for (j = 0, k = 0; j < 5; j++, k++) {
            if (j == 1) continue;
            switch (x[i] % 3) {
            case 0: continue;
            case 1: deep++; break;
            default: deep += k;
            }
        }
        a[i][10] = deep + k;
        for (j = 0, k = 1; j < 4; k += a[i][j], j++) // reads by the counter before it steps
            ;
        a[i][11] = k;
        int wide = 10 + x[i] % 3;
        s = t = deep = 0;
        for (signed char q = 0; q + wide != 5; q++)
            s += q;
        for (short q = 0; q + 7 != 5; q++)
            t ^= q;
        for (signed char q = 100; q - wide <= 110 && deep < 300; q++)
            deep += q & 3;
        a[i][12] = s;
        a[i][13] = t;
        a[i][14] = deep;
    }
    int t, offset;
    for (t = 0, offset = 3; t < steps; t++, offset = (offset * 5 + 1) % n) {
        if (t == 2) continue;
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            b[i] += x[(i + offset) % n] + t;
    }
    order[0] = t;
    order[1] = offset;
}
