// Every operator that commutes, on arrays of several sizes: the copies of one loop stand behind each other in a
// workgroup's memory. Signed words are ordered there as unsigned ones; floats are sums of quarters, which are exact.
// run: -i n=1048576 -i x=uniform:lo=0,hi=10000,seed=1
// test: -i n=2500 -i x=uniform:lo=0,hi=10000,seed=1
// check: exact
// dispatches: 1
// barriers: 2 in all
void counters_kinds(int n, const int x[n], unsigned ups[37], float sums[8], int low[5], int high[3][2], unsigned bits[4],
                    int all[6], unsigned odd[7], int seen[n]) {
#pragma omp parallel for
    for (int k = 0; k < 8; k++) {
        sums[k] = -3.25f;
        low[k % 5] = 20000;
        if (k < 6)
            high[k / 2][k % 2] = -20000;
        all[k % 6] = -1;
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int v = x[i] - 5000;
#pragma omp atomic
        ups[x[i] % 37] -= (unsigned)i;
#pragma omp atomic
        sums[x[i] % 8] += (float)(v % 16) * 0.25f;
#pragma omp atomic compare
        low[i % 5] = low[i % 5] > v ? v : low[i % 5];
        if (v % 3 == 0) {
#pragma omp atomic compare
            high[i % 3][x[i] & 1] = high[i % 3][x[i] & 1] < v ? v : high[i % 3][x[i] & 1];
        }
        if (i % 100 == 7) { // few, so that each of them can be missed
#pragma omp atomic
            bits[i / 100 % 4] |= 1u << i / 100 % 29;
#pragma omp atomic
            all[i / 100 % 6] &= ~(1 << i / 100 % 23);
        }
#pragma omp atomic
        odd[x[i] % 7] ^= (unsigned)x[i] * 2654435761u;
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        seen[i] = (int)(ups[i % 37] % 1000u) + (int)(sums[i % 8] * 4.0f) + low[i % 5] + high[i % 3][i % 2] +
                  (int)(bits[i % 4] >> 20) + all[i % 6] + (int)(odd[i % 7] >> 12);
}
