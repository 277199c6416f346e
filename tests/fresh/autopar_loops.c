// autopar_loops.c - sequential loops between parallel ones: independent, with sums, from where the data say, counters;
// and some whose passes need each other.
//
// test: -i n=700 -i rounds=2 -i a=uniform:lo=0,hi=9,seed=1 -i x=uniform:lo=-2,hi=2,seed=2
// check: abs 1e-4
void autopar_loops(int n, int rounds, int a[n], float x[n], int out[n], int count[16], int twice[n],
                   int sums[rounds][3], float total[rounds]) {
    for (int r = 0; r < rounds; r++) {
        int sum = 0, bits = 0, from = 0, last = 0;
        float all = 0;
        for (int i = 0; i < n; i++) {
            sum += a[i];
            bits |= 1 << a[i];
            all += x[i] * 0.5f;
            out[i] = a[i] * 2 + r;
        }
        from = sum % 100;
        for (int i = from; i < n; i++)
            out[i] = -1;
        for (int i = 0; i < n; i++)
            count[a[i]]++;
        for (int i = 0; i < n; i++)
            count[a[i] & 3] -= 2;
        for (int i = 0; i < n; i++) { // one counts what the other reads
            twice[i] = count[15];
            if (a[i] > 7) count[15]++;
        }
        for (int i = 1; i < n; i++) { // as it was just stored
            twice[i] += twice[i - 1] & 7;
            last = twice[i];
        }
        sums[r][0] = sum;
        sums[r][1] = bits;
        sums[r][2] = last;
        total[r] = all;
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            a[i] = (a[i] + out[n - 1 - i] + count[i & 15]) & 7;
    }
}
