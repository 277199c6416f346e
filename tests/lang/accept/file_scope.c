// Variables at file scope: const, static and plain ones, tables that nothing writes, one that the program's own sequential code
// sets before the parallel loop.
// test: -i n=24
// check: exact
static const float step = 0.25f;
static int offset = 10;
int table[3] = {1, 2, 3};
static float level;

void scope(int n, int out[n], float real[n]) {
    level = 1.5f;
    offset += 1;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        out[i] = table[i % 3] + offset;
        real[i] = level + step * (float)i;
    }
}
