// The best of each of several places that data choose, in two loops: the values, then where they were found.
// test: -i n=3000 -i m=16 -i x=uniform:seed=1 -i cell=uniform:lo=0,hi=16,seed=2 -i least=const:0.9
// check: exact
#include <limits.h>

void f(int n, int m, const float x[n], const int cell[n], float least[m], int at[m]) {
    for (int k = 0; k < m; k++)
        at[k] = INT_MAX;
#pragma omp parallel for reduction(min : least[ : m])
    for (int i = 0; i < n; i++)
        if (x[i] < least[cell[i]]) least[cell[i]] = x[i];
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        if (x[i] == least[cell[i]]) {
#pragma omp critical
            if (i < at[cell[i]]) at[cell[i]] = i;
        }
}
