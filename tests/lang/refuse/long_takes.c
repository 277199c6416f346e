// A 64-bit counter that the loop also looks at: its places are counted elsewhere while the loop runs.
// test: -i n=64
// error: 10:13: no device updates two words at once
#include <stddef.h>
void f(int n, int out[n]) {
    size_t many = 1u << 31;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        size_t at;
#pragma omp atomic capture
        at = many++;
        out[at % 7] = (int)many;
    }
}
