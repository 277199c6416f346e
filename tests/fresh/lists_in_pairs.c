// lists_in_pairs.c - lists to which a pass of sequential code appends several elements: pairs, some under conditions,
// some in a loop inside, one that leaves a gap, two lists by one counter.
//
// test: -i n=3000 -i k=uniform:lo=0,hi=5,seed=1
// check: exact
void lists(int n, const int k[n], int a[6 * n], int b[6 * n][2], int c[n + 1], int d[2 * n]) {
    int m = 0, q = 0;
    for (int i = 0; i < n; i++) {
        c[i] = m;
        if (k[i] > 3) {
            a[m] = i;
            b[m][0] = k[i];
            b[m++][1] = i;
        }
        if (k[i] == 2) {
            a[m++] = -i;
            a[m++] = 5;
            if (k[(i + 1) % n] == 1) {
                a[m] = 77;
                m += 2;
            }
        }
        a[m] = k[i];
        a[m + 1] = q;
        m += 2;
        for (int j = 0; j < k[i]; j++)
            if ((i + j) % 3 == 0) {
                d[q] = j;
                q++;
            }
        if (k[i] == 0) d[q++] = -1;
    }
    c[n] = m + q;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] += 1;
}
