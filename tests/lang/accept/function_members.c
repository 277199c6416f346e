// Members, and types, that are pointers to functions, which the program neither sets nor calls.
// test: -i n=20 -i x=uniform:lo=-1,hi=1,seed=2
// check: exact
typedef float (*law)(float);
typedef void report(const char *format, ...);

struct options {
    float scale;
    law by;
    int (*less)(const void *, const void *);
    struct {
        report *say;
        int level;
    } log;
    void (*hooks[2])(int (*when)(int), float);
    unsigned size;
};

static float at(const struct options *o, float v) { return v * o->scale + (float)o->log.level; }

void members(int n, const float x[n], float y[n], unsigned sizes[2]) {
    struct options o = {.scale = 0.5f, .log = {.level = 3}, .size = 7};
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        struct options own = o;
        own.log.level += i;
        y[i] = at(&own, x[i]) + (float)own.size;
    }
    sizes[0] = sizeof(struct options);
    sizes[1] = sizeof(law);
}
