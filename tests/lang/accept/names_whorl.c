// Names that begin as those of the library of kernels do, and those that the printed C once had for itself.
// test: -i whorl_n=64 -i whorl_steps=3 -i whorl_uniform=uniform:lo=0,hi=100,seed=1
// check: exact
#include <assert.h>

struct whorl_pair {
    int whorl_first, whorl_second;
};
static int whorl_sin[4] = {1, 2, 3, 4};
static int whorl_call(int whorl_x) {
    int whorl_barrier = whorl_x % 7;
    return whorl_barrier + 1;
}
static int whorl_printf(int whorl_say) { return whorl_say * 2; }

void whorl_work(int whorl_n, int whorl_steps, int whorl_uniform[whorl_n], int whorl_round[1]) {
    int whorl_total = 0;
    int whorl_table[whorl_n];
    for (int whorl_t = 0; whorl_t < whorl_steps; whorl_t++) {
#pragma omp parallel for reduction(+ : whorl_total)
        for (int whorl_i = 0; whorl_i < whorl_n; whorl_i++) {
            struct whorl_pair whorl_v = {whorl_call(whorl_uniform[whorl_n - 1 - whorl_i]), whorl_printf(whorl_i)};
            assert(whorl_v.whorl_first > 0);
            whorl_table[whorl_i] = whorl_v.whorl_first * whorl_v.whorl_second;
            whorl_total += whorl_sin[whorl_i & 3];
        }
#pragma omp parallel for
        for (int whorl_i = 0; whorl_i < whorl_n; whorl_i++)
            whorl_uniform[whorl_i] += whorl_table[(whorl_i + 1) % whorl_n];
    }
    whorl_round[0] = whorl_total;
}
