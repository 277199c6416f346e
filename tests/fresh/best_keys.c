// best_keys.c - searches in sequential code, as critical sections of threads with a best each are, that settle by a key
// who of equal ones is kept: the smaller or the larger one, with more that goes along, of some elements alone, downwards,
// and where what was there before the loop is as good.
//
// test: -i n=300 -i v=uniform:lo=0,hi=12,seed=1 -i name=uniform:lo=0,hi=40,seed=2 -i on=uniform:lo=0,hi=2,seed=3
// check: exact
void best_keys(int n, const int v[n], const int name[n], const int on[n], int kept[12][4], int y[n]) {
    for (int r = 0; r < 6; r++) {
        int best = r ? 7 - r : 100, who = r == 3 ? 5 : 1000, where = -1;
        for (int i = 0; i < n; i++)
            if (v[i] + r < best || (v[i] + r == best && name[i] < who)) {
                best = v[i] + r;
                who = name[i];
            }
        kept[r][0] = best;
        kept[r][1] = who;
        unsigned most = r < 4 ? 0 : 11, by = 20;
        for (int i = n - 1; i >= 0; i--)
            if (on[i] != r % 2 && ((by < (unsigned)name[i] && (unsigned)v[i] == most) || (unsigned)v[i] > most)) {
                by = name[i];
                where = i * 2;
                most = v[i];
            }
        kept[r][2] = (int)(most * 100 + by);
        kept[r][3] = where;
    }
    for (int r = 6; r < 12; r++) {
        int best = 50, who = 50;
#pragma omp parallel num_threads(70)
        {
            int b = 100 - r, a = 1000;
#pragma omp for nowait
            for (int i = 0; i < n; i++)
                if (on[i] && v[i] * r % 31 < b) {
                    b = v[i] * r % 31;
                    a = i;
                }
#pragma omp critical
            if (b < best || (b == best && a < who)) {
                best = b;
                who = a;
            }
        }
        kept[r][0] = best;
        kept[r][1] = who;
        kept[r][2] = kept[r][3] = 0;
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        y[i] = kept[i % 12][i % 4];
}
