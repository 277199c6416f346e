// same_bound.c - loops up to a length that the device computes: the same one, some less, some blocks of it, one that changes in between.
//
// run: -i n=300000 -i steps=40 -i x=uniform:lo=0,hi=100,seed=1
// test: -i n=500 -i steps=7 -i x=uniform:lo=0,hi=100,seed=1
// check: exact
// dispatches: 1
void same_bound(int n, int steps, const int x[n], int a[n], int b[n], int length[steps], int rounds[steps]) {
    int len = n;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = b[i] = x[i];
    for (int t = 0; t < steps; t++) {
        int blocks = (len + 31) / 32, round = 0;
#pragma omp parallel for
        for (int i = 0; i < len; i++)
            b[i] = a[(i * 7 + t) % n] + 1;
#pragma omp parallel for
        for (int k = 0; k < blocks; k++)
            for (int i = k * 32 + 1; i < (k + 1) * 32 && i < len; i++)
                b[i] = (b[i] + b[i - 1]) % 1000;
        int last = b[len - 1], left = b[len / 2] % 4;
#pragma omp parallel for
        for (int i = 0; i < len - 1; i++)
            a[i] = (b[len - 1 - i] + last) / 2;
        while (left > 0) { // not at all, or a few times
#pragma omp parallel for
            for (int i = 0; i < len; i++)
                b[i] += a[i] % 5 + left;
            len -= b[left] % 2;
            left -= b[1] % 2 + 1;
            round++;
        }
        if (last % 3 == 0) {
            len -= 2;
#pragma omp parallel for
            for (int i = 0; i < len; i++)
                a[i] += b[i] % 7;
        }
#pragma omp parallel for
        for (int i = 0; i < len; i++)
            b[i] = a[(i * 3 + 1) % n] - 1;
        len -= b[0] % 5 + 6;
        length[t] = len;
        rounds[t] = round;
    }
}
