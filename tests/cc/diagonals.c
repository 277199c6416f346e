// The longest common subsequence, by diagonals, with the table in one allocation and texts in bytes.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AT(i, j) table[(i) * (m + 1) + (j)]
static inline int max_of(int a, int b) { return a > b ? a : b; }

static int common(const char *a, int n, const char *b, int m) {
    int *table = calloc((size_t)(n + 1) * (size_t)(m + 1), sizeof *table);
    char *x = malloc((size_t)n + 1), *y = malloc((size_t)m + 1);
    if (!table || !x || !y) exit(1);
    strcpy(x, a);
    strcpy(y, b);
    for (int d = 2; d <= n + m; d++) { // GPU
        int from = d > m ? d - m : 1, to = d <= n ? d - 1 : n;
#pragma omp parallel for
        for (int i = from; i <= to; i++) {
            int j = d - i;
            if (x[i - 1] == y[j - 1])
                AT(i, j) = AT(i - 1, j - 1) + 1;
            else
                AT(i, j) = max_of(AT(i - 1, j), AT(i, j - 1));
        }
    }
    int result = AT(n, m);
    free(table), free(x), free(y);
    return result;
}

int main(void) {
    char a[260], b[200];
    for (int i = 0; i < 259; i++)
        a[i] = (char)('a' + i * i % 17);
    for (int i = 0; i < 199; i++)
        b[i] = (char)('a' + i * 5 % 13);
    a[259] = b[199] = 0;
    printf("%d\n", common(a, 259, b, 199));
    printf("%d\n", common("whorl", 5, "world", 5));
    return 0;
}
