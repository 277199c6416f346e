// return out of loops, of nested loops and of the middle of a function; a void function that returns early.
// test: -i n=64
// check: exact
static int find(const int *x, int count, int what) {
    for (int i = 0; i < count; i++)
        if (x[i] == what)
            return i;
    return -1;
}

static int pair(int sum) {
    for (int a = 1; a < 12; a++)
        for (int b = a; b < 12; b++) {
            if (a * b > 100)
                return -2;
            if (a * a + b * b == sum)
                return a * 100 + b;
        }
    return -1;
}

static void clamp(int *x, int limit) {
    if (*x <= limit)
        return;
    *x = limit;
    while (1) {
        if (limit % 5 == 0)
            return;
        limit--;
        *x -= 1;
    }
}

void search(int n, int out[n][3]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int table[8];
        for (int k = 0; k < 8; k++)
            table[k] = k * k % 11;
        out[i][0] = find(table, 8, i % 12);
        out[i][1] = pair(i * 3);
        int c = i;
        clamp(&c, 20 + i % 7);
        out[i][2] = c;
    }
}
