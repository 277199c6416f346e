// Local arrays: indexed by loop counters and by computed values, of two dimensions, partly initialised, passed to functions.
// test: -i n=48
// check: exact
static int sum(const int *x, int count) {
    int s = 0;
    for (int i = 0; i < count; i++)
        s += x[i];
    return s;
}

static void sort(int *x, int count) {
    for (int i = 1; i < count; i++) {
        int v = x[i], j = i;
        for (; j > 0 && x[j - 1] > v; j--)
            x[j] = x[j - 1];
        x[j] = v;
    }
}

static int trace(int m[3][3]) {
    m[1][1]++;
    return m[0][0] + m[1][1] + m[2][2];
}

void arrays(int n, int out[n][9]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int x[6] = {i, i * 2};
        for (int k = 2; k < 6; k++)
            x[k] = x[k - 1] * 3 % 17 - x[k - 2];
        out[i][0] = sum(x, 6);
        out[i][1] = sum(x + 2, 3);
        sort(x, 6);
        for (int k = 0; k < 3; k++)
            out[i][2 + k] = x[k * 2];
        int m[3][3] = {{1, 2, 3}, {4, 5}, {7}};
        m[i % 3][i / 3 % 3] += i;
        out[i][5] = trace(m);
        out[i][6] = m[1][1];
        int histogram[5] = {0};
        for (int k = 0; k < 20; k++)
            histogram[(k * k + i) % 5]++;
        out[i][7] = histogram[0] * 100 + histogram[1];
        char text[8] = "abc";
        text[i % 3] = 'z';
        out[i][8] = text[0] + text[1] + text[2] + text[3];
    }
}
