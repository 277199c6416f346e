// printf of a string that is no literal.
// test: -i n=16
// error: 9:22: printf: %s takes a string literal here
#include <stdio.h>
void f(int n, float x[n]) {
    const char word[3] = {'o', 'k', 0};
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        printf("%s", word), x[i] = 1.0f;
}
