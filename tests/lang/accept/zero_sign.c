// A zero loses its sign by a choice; by `+ 0.0f` it does so in C alone (docs/language.md).
// test: -i n=8 -i x=-0.0,0.0,-1.5,2,-0.0,3,-0.0,0.0
// check: exact
#include <string.h>
void zero_sign(int n, const float x[n], unsigned bits[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float plain = x[i] == 0.0f ? 0.0f : x[i];
        memcpy(&bits[i], &plain, 4);
    }
}
