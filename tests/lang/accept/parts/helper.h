#ifndef HELPER_H
#define HELPER_H
struct line {
    float slope, start;
};
static inline float line_at(struct line l, float x) { return l.slope * x + l.start; }
#endif
