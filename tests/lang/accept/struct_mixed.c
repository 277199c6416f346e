// Entry arrays of structs of several types: each word is made, compared and printed by the type of its field.
// test: -i n=50 -i seeds=const:3
// check: abs 1e-5
#include <math.h>
struct part {
    unsigned id;
    float weight[2];
};
struct result {
    int steps;
    struct part parts[2];
    float value;
};

void mixed(int n, const struct part seeds[n], struct result out[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        struct part p = {seeds[i].id + (unsigned)i, {seeds[i].weight[0], expf(seeds[i].weight[1] * 0.01f * (float)i)}};
        out[i] = (struct result){-i, {seeds[i], p}, logf(p.weight[1] + p.weight[0])};
    }
}
