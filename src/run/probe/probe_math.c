// How well does the device compute WGSL's own functions? WGSL lets them be wrong by thousands of units in the last
// place, and some drivers give NaN where tanh is 1. One dispatch asks all of them, each at fixed points spread evenly
// over where it does its work, its ends included; the judge is the C library in double. What whorl makes of math.h is
// another question: most of it does not use these.
#include <math.h>

#include "run/probe/probe.h"

// Points of a function: a multiple of PROBE_LANES, so that no workgroup computes two functions.
enum { POINTS = 2048, MATH_TEXT = 8 << 10 };

struct builtin {
    const char *name;
    double (*one)(double);
    double (*two)(double, double);
    double low[2], high[2];
};

static double divide(double x, double y) { return x / y; }
static double inverse_sqrt(double x) { return 1 / sqrt(x); }

// clang-format off
#define ONE(name, reference, low, high) {#name, reference, NULL, {low}, {high}}
// clang-format on
// Between -511.5 and 512 the points are the multiples of a half: half of them are ties.
static const struct builtin builtins[] = {
    {"x / y", NULL, divide, {-100, 0.01}, {100, 100}},
    ONE(sqrt, sqrt, 0, 100),
    ONE(floor, floor, -511.5, 512),
    ONE(ceil, ceil, -511.5, 512),
    ONE(trunc, trunc, -511.5, 512),
    ONE(round, rint, -511.5, 512),
    ONE(inverseSqrt, inverse_sqrt, 0.01, 100),
    ONE(exp, exp, -87, 88),
    ONE(exp2, exp2, -125, 127),
    ONE(log, log, 0.001, 10),
    ONE(log2, log2, 0.001, 10),
    {"pow", NULL, pow, {0.01, -15}, {100, 15}},
    ONE(sin, sin, -30, 30),
    ONE(cos, cos, -30, 30),
    ONE(tan, tan, -30, 30),
    ONE(asin, asin, -1, 1),
    ONE(acos, acos, -1, 1),
    ONE(atan, atan, -10, 10),
    {"atan2", NULL, atan2, {-10, -10}, {10, 10}},
    ONE(sinh, sinh, -10, 10),
    ONE(cosh, cosh, -10, 10),
    ONE(tanh, tanh, -100, 100),
    ONE(asinh, asinh, -10, 10),
    ONE(acosh, acosh, 1, 10),
    ONE(atanh, atanh, -0.999, 0.999),
};
_Static_assert(sizeof builtins / sizeof *builtins == WHORL_BUILTINS, "whorl.h says how many there are");

const char *run_probe_builtin(uint32_t i) { return builtins[i].name; }

// Of a second argument: every value with any of the first, by the golden ratio.
static float point(const struct builtin *b, int argument, uint32_t k) {
    double part = argument == 0 ? (double)k / (POINTS - 1) : fmod(k * 0.6180339887498949, 1);
    return (float)(b->low[argument] + (b->high[argument] - b->low[argument]) * part);
}

// In units in the last place of a float that is next to `want`; negative where a number should be and none is.
static double distance(double want, float got) {
    enum { NO_DIGIT = 1 << 24 };
    int e;
    if (!isfinite(got)) return -1;
    (void)frexp(want, &e);
    double ulp = fabs((double)got - want) / ldexp(1, (want == 0 || e < -125 ? -125 : e) - 24);
    return ulp < NO_DIGIT ? ulp : NO_DIGIT;
}

static void judge(float (*data)[4], struct whorl_builtin *out) {
    for (uint32_t f = 0; f < WHORL_BUILTINS; f++, data += POINTS) {
        out[f] = (struct whorl_builtin){.name = builtins[f].name};
        for (uint32_t k = 0; k < POINTS; k++) {
            double x = data[k][0], y = data[k][1];
            double ulp = distance(builtins[f].one ? builtins[f].one(x) : builtins[f].two(x, y), data[k][2]);
            if (ulp < 0) out[f].wrong++;
            if (ulp > out[f].worst_ulp) out[f].worst_ulp = ulp;
        }
    }
}

static enum whorl_status ask(struct whorl_session *s, float (*data)[4], size_t size_bytes, struct whorl_error *err) {
    double seconds;
    for (uint32_t i = 0; i < WHORL_BUILTINS * POINTS; i++) {
        const struct builtin *b = &builtins[i / POINTS];
        data[i][0] = point(b, 0, i % POINTS);
        data[i][1] = b->two ? point(b, 1, i % POINTS) : 0;
        data[i][2] = data[i][3] = 0;
    }
    enum whorl_status status = run_array_write(s, &s->plan->arrays[0], data, size_bytes, err);
    if (status == WHORL_OK) status = run_probe_time(s, 1, 0, 0, WHORL_BUILTINS * POINTS, 1, 1, &seconds, err);
    return status == WHORL_OK ? run_array_read(s, &s->plan->arrays[0], data, size_bytes, err) : status;
}

enum whorl_status run_probe_math(struct whorl_device *device, struct run_probe *out, struct whorl_error *err) {
    struct probe_plan plan;
    struct whorl_session *s = NULL;
    const size_t size_bytes = sizeof(float[WHORL_BUILTINS * POINTS][4]);
    char text[MATH_TEXT];
    float(*data)[4] = base_heap_alloc(size_bytes);
    if (!data) return base_set_error(err, WHORL_MEMORY, "device", "out of memory for the probe");
    run_probe_part(text, sizeof text, "math.wgsl", "", POINTS);
    run_probe_plan(&plan, text, (int64_t)size_bytes);
    enum whorl_status status = WHORL_OK;
    // Programs need few of the functions: a device that refuses one only remains without these figures.
    if (run_probe_open(device, &plan, &s, NULL) == WHORL_OK) {
        s->policy = (struct run_policy){.slice_ms = 1000, .shrink = 1};
        status = ask(s, data, size_bytes, err);
        if (status == WHORL_OK) {
            judge(data, out->builtins);
            out->builtin_count = WHORL_BUILTINS;
        }
        run_session_drop(s);
    }
    base_heap_free(data);
    return status;
}
