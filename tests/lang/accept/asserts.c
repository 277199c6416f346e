// assert where its condition holds: in the entry, in loops, in functions; it may stand in expressions.
// test: -i n=32
// check: x exact
#include <assert.h>
static int checked(int i, int n) {
    assert(i >= 0 && i < n);
    return assert(n > 0), n - 1 - i;
}
void f(int n, int x[n]) {
    assert(n == 32);
    for (int t = 0; t < 3; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            x[i] += checked(i, n) + t;
            assert(x[i] < 1000 && "never reached");
        }
    }
    static_assert(sizeof(int) == 4, "int has 32 bits");
#undef assert
#define NDEBUG
#include <assert.h>
    assert(n < 0);
}
