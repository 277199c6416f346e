// Loops whose variable doubles, halves or goes on by another power of two, in sequential code and in iterations: upwards
// and downwards, with the step in the head or at the end of the body, from 0 times on, unsigned, wanted behind the loop;
// and such that must stay as they are: they start with what nobody knows, are left early, or set the variable again.
//
// test: -i n=300 -i key=uniform:lo=0,hi=1000,seed=1
// check: exact
void doubling(int n, const int key[n], int sums[n], int tree[512], int out[16], int own[n], unsigned bits[n]) {
    int next[n];
#pragma omp parallel for
    for (int i = 0; i < 512; i++)
        tree[i] = i < n ? key[i] : 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        sums[i] = key[i];
    int away;
    for (away = 1; away < n; away <<= 1) {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            next[i] = i >= away ? sums[i] + sums[i - away] : sums[i];
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            sums[i] = next[i];
    }
    out[0] = away;
    for (int s = 256; s > 0; s /= 2)
#pragma omp parallel for
        for (int i = 0; i < s; i++)
            tree[i] += tree[i + s];
    int width = 1, turns = 0;
    while (width <= 4096) {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            sums[i] ^= width * (i & 3);
        turns += width;
        width *= 8;
    }
    out[1] = width + turns;
    int none = 500;
    for (; none < n; none *= 2)
        turns++;
    out[2] = none + turns;
    for (int start = key[0]; start > 0; start /= 2)
        out[3]++;
    for (int x = 1; x < 100000; x *= 2) {
        if (key[1] < x) break;
        out[4] = x;
    }
    for (int x = 1; x < 1000; x = x + x) {
        if (x == 16) x = 17;
        out[5] += x;
    }
    int from = 3;
    for (from = key[2] > 2000 ? 1 : 3; from < 100; from *= 2)
        out[6] += from;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int sum = 0, k, low = 1;
        for (k = 1 << 9; k; k >>= 1)
            sum += k & key[i] ? k : 1;
        for (int s = 1; s <= 64; s *= 4)
            sum += s * i;
        do {
            low *= 2;
        } while (low < 32);
        own[i] = sum + k + low;
        unsigned u = 0x80000000u;
        for (bits[i] = 0; u != 0; u >>= 3)
            bits[i] = bits[i] * 2 + (u & (unsigned)key[i] ? 1 : 0);
        for (u = 1; u < 2000000000u; u += u)
            bits[i] += u;
    }
}
