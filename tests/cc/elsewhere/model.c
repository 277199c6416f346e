#include "model.h"

float row_sum(float **t, int i, int n) {
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += t[i][k];
    return sum;
}
float twice(float v) { return 2 * v; }
float look(const struct model *m, int i) {
    assert(i >= 0);
    return m->x[i] * m->steps + m->rows[i % 5][m->n - 1];
}
float part_sum(const struct part *all, int k) {
    const struct part *own = &all[k];
    float sum = 0;
    for (int i = 0; i < own->n; i++)
        sum += own->x[i];
    return sum;
}
void set(struct model m, int i, float value) { m.x[i] = value; }
int step(struct model *m) { return m->steps++; }
