// rand has hidden state; a counter-based generator gives the same numbers everywhere.
// test: -i n=16
// error: 8:23: rand
#include <stdlib.h>
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        x[i] = (float)rand();
    }
}
