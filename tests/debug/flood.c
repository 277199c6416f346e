// More lines than the log has room for: the first that came are kept, and how many are missing is said.
// run: -i n=20000
#include <stdio.h>
void f(int n, int x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 4; k++) {
            printf("%d %d\n", i, k);
            x[i] += k;
        }
}
