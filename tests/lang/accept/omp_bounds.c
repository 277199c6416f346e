// How many iterations a parallel loop has may depend on what goes on around it: counters, scalars that change, elements of arrays.
// test: -i n=40 -i from=uniform:lo=-5,hi=40,seed=1 -i x=uniform:lo=0,hi=50,seed=2 -i out=const:0
// check: exact
static int extents[3];
static const int sizes[4] = {3, 17, 0, 29};

static int smaller(int a, int b) { return a < b ? a : b; }

void omp_bounds(int n, const int from[n], int x[n], int out[200]) {
    extents[1] = 11;
    for (int i = 0; i < n; i++) {
        unsigned wide = (unsigned)i * 2654435761u % 37u; // wraps around
        int len = i > n / 2 ? n - i : i;
#pragma omp parallel for
        for (int j = 0; j < len; j++)
            x[j] = (x[j] + j) % 1009;
#pragma omp parallel for
        for (int j = i * i; j < n; j++)
            x[j] = (x[j] * 3 + i) % 1009;
#pragma omp parallel for
        for (unsigned j = 0; j < wide; j++)
            x[j] += (int)j % 5;
#pragma omp parallel for
        for (int j = smaller(i, n - i); j >= (n > 3 * i ? n - 3 * i : 0); j -= 2)
            x[j] ^= 1;
        if (i > 0) {
#pragma omp parallel for
            for (int j = 0; j < n / i; j++)
                x[j] += i;
        }
#pragma omp parallel for collapse(2)
        for (int a = i; a < n; a++)
            for (int b = 0; b < i % 4; b++)
                if (b == i % 4 - 1) x[a] += b;
    }
    for (int k = 0; k < 4; k++) {
#pragma omp parallel for
        for (int j = extents[k % 3]; j < sizes[k]; j++)
            x[j] += 100 * k;
    }
    int top = x[0] % n, sum = 0, last = -1;
#pragma omp parallel for reduction(+ : sum) lastprivate(last)
    for (int j = 0; j < top + 1; j++) {
        sum += x[j];
        last = j;
    }
    out[0] = sum;
    out[1] = last;
    int most = sum % 40;
#pragma omp parallel for reduction(+ : sum)
    for (int j = 0; j < most; j++)
        sum += j % 3;
    out[2] = sum;
    for (int level = 0; level < 5; level++) {
        int j = -7;
#pragma omp parallel for lastprivate(j)
        for (j = level; j < n; j += 1 << level)
            out[j + 10] += level + j;
        out[3] += j;
#pragma omp parallel for
        for (int k = n; k > from[level]; k -= from[level + 8] + 6)
            out[k + 10] += k;
    }
}
