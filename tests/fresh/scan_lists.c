// scan_lists.c - what sequential code between parallel loops leaves: places of a list that grows, sums so far in place,
// and how many there are, which the loops behind it read. Lists that may not be filled out of order, too: one whose
// elements are stored again, one that begins anew, one that is read.
//
// test: -i n=1700 -i rounds=2 -i a=uniform:lo=0,hi=9,seed=1
// check: exact
void scan_lists(int n, int rounds, int a[n], int list[n], int start[n + 1], int again[n], int anew[n], int chain[n],
                int counts[5]) {
    for (int r = 0; r < rounds; r++) {
        int k = 0, sum = 0, b = 0, c = 0, d = 1;
        for (int i = 0; i < n; i++)
            if (a[i] > 6) list[k++] = i;
        for (int i = 0; i < n; i++) {
            start[i] = sum;
            sum += a[i];
        }
        start[n] = sum;
        for (int i = 0; i < n; i++) {
            again[b] = i; // the last one stays
            if (a[i] > 4) b++;
        }
        for (int i = 0; i < n; i++) {
            if (a[i] == 9) c = 0;
            if (a[i] > 4) anew[c++] = i;
        }
        chain[0] = 1;
        for (int i = 0; i < n; i++)
            if (a[i] > 5) {
                chain[d] = chain[d - 1] + a[i];
                d++;
            }
        counts[0] = k;
        counts[1] = sum;
        counts[2] = b;
        counts[3] = c;
        counts[4] = d;
        for (int i = 1; i < n; i++)
            a[i] += a[i - 1];
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            a[i] = i < k ? list[i] % 10 : (a[i] * 3 + start[i] + d) % 10;
    }
}
