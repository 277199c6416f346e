// prefix_sums.c - the sums of all beginnings of a sequence, and its largest ones packed together without a gap.
//
// Source: W. D. Hillis, G. L. Steele, "Data parallel algorithms", 1986: in round r each element adds the one that is
// 2^r places before it.
//
// run: -i n=1048576 -i rounds=10 -i limit=200 -i value=uniform:lo=0,hi=255,seed=1
// test: -i n=1000 -i rounds=3 -i limit=200 -i value=uniform:lo=0,hi=255,seed=1
// check: exact
// dispatches: 1
// barriers: 1 a doubling
void prefix_sums(int n, int rounds, int limit, int value[n], int place[n], int packed[n], int kept[rounds]) {
    int sum[n];
    for (int r = 0; r < rounds; r++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            place[i] = value[i] > limit ? 1 : 0;
        for (int away = 1; away < n; away *= 2) {
#pragma omp parallel for
            for (int i = 0; i < n; i++)
                sum[i] = i >= away ? place[i] + place[i - away] : place[i];
#pragma omp parallel for
            for (int i = 0; i < n; i++)
                place[i] = sum[i];
        }
        kept[r] = place[n - 1];
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            packed[i] = 0;
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            if (value[i] > limit) packed[place[i] - 1] = value[i];
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            value[i] = (value[i] * 5 + packed[i] + i) & 255;
    }
}
