#include <assert.h>

struct part {
    int n;
    float *x;
};
struct model {
    int n, steps;
    float *x, **rows;
    struct part *parts;
};
float look(const struct model *m, int i);
float twice(float v);
float row_sum(float **t, int i, int n);
float part_sum(const struct part *all, int k);
void set(struct model m, int i, float value);
int step(struct model *m);
