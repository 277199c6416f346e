// What is left is counted by a reduction, gathered behind a counter, and worked on by loops of that length, until little is left.
// test: -i n=1300 -i x=uniform:lo=0,hi=100000,seed=13 -i lengths=const:0
// check: exact
// dispatches: 1
void compaction(int n, int x[n], int lengths[64]) {
    int kept[n], place[n];
    int len = n, rounds = 0;
    do {
        int count = 0, total = 0;
#pragma omp parallel for reduction(+ : count)
        for (int i = 0; i < len; i++) {
            place[i] = x[i] % 3 != 0;
            count += place[i];
        }
        for (int i = 0; i < len; i++)
            if (place[i]) kept[total++] = x[i] / 3 + rounds;
#pragma omp parallel for collapse(2)
        for (int i = 0; i < count; i++)
            for (int half = 0; half < 2; half++)
                if (half == 0) x[i] = kept[i] * 7 % 65537 + kept[count - 1 - i] % 5;
        lengths[rounds++] = len = count;
    } while (len > 3 && rounds < 64);
}
