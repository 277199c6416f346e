// Pointers: p + k, p - k, p++, *p, p[-1], difference, comparison, &a[i], into rows, to parts of structs.
// test: -i n=40 -i x=arange
// check: exact
struct item {
    int key, values[4];
};

static int total(const int *from, const int *to) {
    int sum = 0;
    for (const int *p = from; p != to; p++)
        sum += *p;
    return sum;
}

void pointers(int n, const float x[n + 4], int out[n][8], float real[n][3]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        const float *p = x + i;
        real[i][0] = *p + p[1] + *(p + 2) + *(1 + p);
        p += 3;
        real[i][1] = p[-1];
        real[i][1] -= *p--;
        p++;
        real[i][2] = *--p * 2.0f;
        int a[8];
        for (int *q = a; q < a + 8; ++q)
            *q = (int)(q - a) * i;
        out[i][0] = total(a, a + 8);
        out[i][1] = total(&a[2], &a[i % 6 + 2]);
        int *mid = &a[4], *end = a + 7;
        out[i][2] = (int)(end - mid) + (mid < end) * 10 + (mid == &a[4]) * 100;
        *mid++ = -1;
        *mid = -2;
        out[i][3] = a[4] * 10 + a[5];
        int m[3][4] = {{0}};
        int *row = m[i % 3];
        row[1] = 5;
        *(row + 2) = 6;
        int (*rows)[4] = m + 1;
        rows[0][0] = i;
        out[i][4] = m[0][1] + m[1][1] * 10 + m[2][2] * 100 + m[1][0];
        struct item t = {i, {1, 2, 3, 4}};
        int *v = t.values + 1;
        v[1] += t.key;
        out[i][5] = t.values[2];
        int *key = &t.key;
        ++*key;
        (*key)++;
        out[i][6] = t.key;
        out[i][7] = *&a[1] + !(p == x) + (v - t.values == 1);
    }
}
