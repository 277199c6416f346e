// memmove within one array: up, down, by a distance that is only known at run time, of rows and of structs.
// test: -i n=200 -i by=3 -i a=arange -i b=arange -i rows=arange -i shift=-2,5,0,7
// check: exact
#include <string.h>

struct pair {
    int first, second;
};

void overlapping(int n, int by, const int shift[4], int a[n], int b[n], int rows[8][9], int local[n][12],
                 struct pair pairs[20]) {
    memmove(a + 1, a, (n - 1) * sizeof *a);       // up, more than a few
    memmove(b, b + by, (n - by) * sizeof *b);     // down
    memmove(rows[2], rows[1], 5 * sizeof rows[0]); // rows
    memmove(rows[0] + 2, rows[0] + 4, 5 * sizeof(int));
    for (int i = 0; i < 20; i++)
        pairs[i] = (struct pair){i, 100 - i};
    memmove(&pairs[4], &pairs[2], 12 * sizeof *pairs);
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int *x = local[i], from = 3, to = 3 + shift[i % 4] % 4;
        for (int k = 0; k < 12; k++)
            x[k] = k * k + i;
        memmove(x + to, x + from, 5 * sizeof *x);
        memmove(x, x + 1, (size_t)(i % 6) * sizeof *x);
    }
}
