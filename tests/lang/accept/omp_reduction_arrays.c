// reduction of arrays, whole or in sections: integers by every operator, onto starting values, beside a scalar, and where the
// loop has other conditions; an array of the entry, one of the function, a pointer into one.
// test: -i n=30000 -i x=uniform:lo=0,hi=10000,seed=3
// check: exact
void add_to(int *bin, int by) { *bin += by; }

void reduce(int n, const int x[n], int count[16], unsigned table[4][8], int low[5], int high[2][3], unsigned bits[3],
            int all[2], int out[6]) {
    int sums[4] = {1, 2, 3, 4}, total = 7, half[6] = {0};
    int *upper = half + 3;
#pragma omp parallel for reduction(+ : count[:16], sums, total) reduction(^ : table[:4][:8]) reduction(min : low[0 : 5]) \
    reduction(max : high[:2][:3]) reduction(| : bits[:3]) reduction(& : all[:2]) reduction(- : upper[1 : 2])
    for (int i = 0; i < n; i++) {
        int v = x[i] - 5000;
        count[x[i] % 16]++;
        if (x[i] % 3)
            count[15] += 2, sums[2]++, count[14]++;
        sums[i & 3] -= x[i];
        sums[0] = sums[0] + i, sums[1] = v + sums[1];
        total += x[i];
        table[i & 3][x[i] & 7] ^= (unsigned)x[i] * 2654435761u;
        if (v < low[i % 5])
            low[i % 5] = v;
        high[i % 2][i % 3] = high[i % 2][i % 3] > v ? high[i % 2][i % 3] : v;
        for (int k = 0; k < 3; k++)
            bits[k] |= 1u << (x[i] + k) % 31;
        all[i % 2] &= ~(1 << x[i] % 20);
        upper[1 + i % 2] -= x[i] & 7;
    }
    for (int k = 0; k < 4; k++)
        out[k] = sums[k];
    out[4] = total;
    out[5] = half[4] * 31 + half[5];
    add_to(&out[5], 3);
}
