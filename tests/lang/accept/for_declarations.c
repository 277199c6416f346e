// A for loop that declares more than its counter: what stands behind the counter sees its first value.
// test: -i n=9
// check: exact
static int two(int i) { return i + 2; }

void declarations(int n, int out[n], int sums[n], unsigned wide[n], int entry[n]) {
#pragma omp parallel for
    for (int b = 0; b < n; b++) {
        for (int i = b, end = i + 2; i < end; i++)
            out[b] += i + 1;
        for (int i = b, j = i + 5; i < b + 3; i++)
            sums[b] += i * j;
        for (int i = 3, end = two(i); i < end; i++)
            sums[b] += i;
        for (int end = b + 4, i = end - 3; i < end; i++)
            out[b] += 10 * i;
        for (unsigned i = (unsigned)b, end = i * 2u + 1u; i < end; i++)
            for (unsigned k = i, last = k + i; k < last; k++)
                wide[b] += k;
        int i = 100;
        for (int i = b, end = i < 4 ? i + 2 : 4; i < end; i++)
            sums[b] += i;
        out[b] += i;
    }
    for (int i = 1, end = i < n ? i + 2 : n; i < end; i++) {
#pragma omp parallel for
        for (int k = 0; k < n; k++)
            entry[k] += i * k;
    }
}
