// index_chain.c - what stands at the end of a chain of places, each of which is loaded from a narrow array: a kernel as
// long as the chain, not twice as long with every place in it.
// test: -i n=40 -i m=3 -i x=uniform:lo=0,hi=40,seed=1
// check: exact
#include <stdint.h>

void index_chain(int n, int m, const uint16_t x[n], unsigned y[m]) {
#pragma omp parallel for
    for (int i = 0; i < m; i++) {
        unsigned s = i;
        for (int k = 0; k < 64; k++)
            s += x[x[x[x[x[x[x[x[x[x[x[x[x[x[s % n]]]]]]]]]]]]]] & 1;
        y[i] = s;
    }
}
