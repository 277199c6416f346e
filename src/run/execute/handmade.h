// Plans written by hand, for tests: what the compiler would make, small enough to know every number.
#ifndef WHORL_RUN_HANDMADE_H
#define WHORL_RUN_HANDMADE_H

#include <string.h>

#include "plan/program.h"

// A program under construction, static or zeroed before its first handmade_begin, which ends the one before. Running
// out of memory while one is made is not provoked by any test.
struct handmade {
    struct base_cx cx;
    struct plan plan;
    struct whorl_program program;
};

static void handmade_begin(struct handmade *h, const char *entry) {
    if (h->program.cx) // a test that failed did not come to its end
        base_cx_deinit(&h->cx);
    memset(h, 0, sizeof *h);
    base_cx_init(&h->cx);
    h->plan.entry = entry;
    h->plan.profile = "base";
    h->plan.param_words = 12;
    h->plan.state_buffer = UINT32_MAX;
    h->program.cx = &h->cx;
    h->program.name = entry;
    h->program.plan = &h->plan;
}

__attribute__((unused)) static void handmade_end(struct handmade *h) {
    base_cx_deinit(&h->cx);
    h->program.cx = NULL;
}

static plan_expr handmade_const(struct handmade *h, int64_t value) { return plan_const(&h->cx, &h->plan, value); }

// An array of n elements in a buffer of its own; IN and INOUT become the next parameter.
static uint32_t handmade_array_expr(struct handmade *h, const char *name, enum plan_array_kind kind,
                                    enum whorl_dtype dtype, plan_expr n, plan_expr bytes) {
    struct plan *p = &h->plan;
    BASE_RESERVE(&h->cx, p->buffers, p->buffer_count, p->buffer_cap);
    p->buffers[p->buffer_count] = (struct plan_buffer){name, bytes};
    BASE_RESERVE(&h->cx, p->arrays, p->array_count, p->array_cap);
    struct plan_array *a = &p->arrays[p->array_count];
    *a = (struct plan_array){.name = name, .kind = kind, .dtype = dtype, .ndims = 1, .buffer = p->buffer_count++};
    a->dims[0] = n;
    a->offset_bytes = handmade_const(h, 0);
    if (kind <= PLAN_INOUT) {
        BASE_RESERVE(&h->cx, p->params, p->param_count, p->param_cap);
        p->params[p->param_count++] = (struct plan_param){true, p->array_count};
    }
    return p->array_count++;
}

__attribute__((unused)) static uint32_t handmade_array(struct handmade *h, const char *name, enum plan_array_kind kind,
                                                       enum whorl_dtype dtype, int64_t n) {
    int64_t bytes = (n * (int64_t)whorl_dtype_size(dtype) + 3) / 4 * 4;
    return handmade_array_expr(h, name, kind, dtype, handmade_const(h, n), handmade_const(h, bytes < 4 ? 4 : bytes));
}

__attribute__((unused)) static uint32_t handmade_scalar(struct handmade *h, struct plan_scalar scalar) {
    struct plan *p = &h->plan;
    BASE_RESERVE(&h->cx, p->scalars, p->scalar_count, p->scalar_cap);
    p->scalars[p->scalar_count] = scalar;
    if (scalar.is_param) {
        BASE_RESERVE(&h->cx, p->params, p->param_count, p->param_cap);
        p->params[p->param_count++] = (struct plan_param){false, p->scalar_count};
    }
    return p->scalar_count++;
}

// A kernel over `iterations` that binds all buffers there are, in order; a bit of `writable` a buffer.
__attribute__((unused)) static struct plan_kernel *
handmade_kernel(struct handmade *h, const char *name, const char *wgsl, plan_expr iterations, uint32_t writable) {
    struct plan *p = &h->plan;
    BASE_RESERVE(&h->cx, p->kernels, p->kernel_count, p->kernel_cap);
    struct plan_kernel *k = &p->kernels[p->kernel_count++];
    *k = (struct plan_kernel){.name = name,
                              .origin = "hand.c:1",
                              .wgsl = wgsl,
                              .workgroup_size = 64,
                              .iterations = iterations,
                              .binding_count = p->buffer_count,
                              .tick_loops = 1,
                              .range_sliceable = true};
    k->bindings = base_alloc_array(&h->cx, p->buffer_count, sizeof *k->bindings);
    for (uint32_t b = 0; b < p->buffer_count; b++)
        k->bindings[b] = (struct plan_binding){b, writable >> b & 1};
    return k;
}

__attribute__((unused)) static struct plan_node handmade_dispatch(uint32_t kernel) {
    return (struct plan_node){.kind = PLAN_DISPATCH, .kernel = kernel};
}

// The beginning of every kernel's text: bindings 0 and 1, the index of an invocation, the end of a workgroup.
#define HANDMADE_HEAD                                                   \
    "@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 3>;\n" \
    "@group(0) @binding(1) var<storage, read_write> control: array<atomic<u32>, 8>;\n"
#define HANDMADE_MAIN                                                                 \
    "@compute @workgroup_size(64) fn main(@builtin(workgroup_id) group: vec3<u32>,\n" \
    "        @builtin(local_invocation_index) lane: u32) {\n"                         \
    "    if (lane == 0u) { atomicAdd(&control[0], 1u); }\n"                           \
    "    let index = (group.y * params[1].x + group.x) * 64u + lane;\n"               \
    "    if (index >= params[0].y) { return; }\n"                                     \
    "    let i = params[0].x + index;\n"

// c[i] = a[i] + b[i], n floats
__attribute__((unused)) static void handmade_add(struct handmade *h, int64_t n) {
    static const char wgsl[] = HANDMADE_HEAD
        "@group(0) @binding(2) var<storage, read> a: array<f32>;\n"
        "@group(0) @binding(3) var<storage, read> b: array<f32>;\n"
        "@group(0) @binding(4) var<storage, read_write> c: array<f32>;\n" HANDMADE_MAIN "    c[i] = a[i] + b[i];\n}\n";
    handmade_begin(h, "add");
    handmade_array(h, "a", PLAN_IN, WHORL_F32, n);
    handmade_array(h, "b", PLAN_IN, WHORL_F32, n);
    handmade_array(h, "c", PLAN_INOUT, WHORL_F32, n);
    handmade_kernel(h, "k0", wgsl, handmade_const(h, n), 1u << 2);
    h->plan.steps = h->plan.single = (struct plan_strategy){.exists = true, .root = handmade_dispatch(0), .note = ""};
    h->plan.single.same_as_steps = true;
    h->plan.eager = h->plan.steps;
    h->program.c_text =
        "void __whorl_call(void **arrays, const void *scalars) {\n"
        "    const float *a = arrays[0], *b = arrays[1];\n    float *c = arrays[2];\n    (void)scalars;\n"
        "#pragma omp parallel for\n    for (int i = 0; i < COUNT; i++) c[i] = a[i] + b[i];\n}\n";
    h->program.c_text = base_format(&h->cx, "#define COUNT %lld\n%s", (long long)n, h->program.c_text);
}

// x[i] = t passes of the generator x -> x * 1664525 + 1013904223 + pass; the loop can pause, state: pass, x.
__attribute__((unused)) static void handmade_loop(struct handmade *h, int64_t n, uint32_t t) {
    static const char form[] = HANDMADE_HEAD
        "@group(0) @binding(2) var<storage, read_write> xs: array<u32>;\n"
        "@group(0) @binding(3) var<storage, read_write> saved: array<u32>;\n" HANDMADE_MAIN
        "    var k = 0u;\n    var x = xs[i];\n"
        "    if (params[0].w == 1u) { k = saved[index]; x = saved[params[0].y + index];\n"
        "        if (k == 0xffffffffu) { return; } }\n"
        "    var ticks = 0u;\n    var paused = false;\n"
        "    for (; k < %uu; k++) {\n"
        "        if (ticks == params[0].z) { paused = true; break; }\n"
        "        ticks++;\n        x = x * 1664525u + 1013904223u + k;\n    }\n"
        "    atomicMax(&control[3], ticks);\n"
        "    if (paused) { atomicAdd(&control[1], 1u); saved[index] = k; saved[params[0].y + index] = x; return; }\n"
        "    if (k != %uu) { atomicAdd(&control[2], 1u); }\n"
        "    if (params[0].z != 0xffffffffu) { saved[index] = 0xffffffffu; }\n"
        "    xs[i] = x;\n}\n";
    handmade_begin(h, "loop");
    handmade_array(h, "xs", PLAN_INOUT, WHORL_U32, n);
    struct plan_kernel *k = handmade_kernel(h, "k0", base_format(&h->cx, form, t, t), handmade_const(h, n), 1);
    k->resume_words = 2;
    k->ticks = t;
    h->plan.single = h->plan.steps = (struct plan_strategy){.exists = true, .root = handmade_dispatch(0), .note = ""};
    h->plan.single.same_as_steps = true;
}

// for (t = 0; t < steps; t++) { y[i] = x[i] + t; x[i] = y[i] ^ scratch[i]++; } as two kernels a step.
__attribute__((unused)) static void handmade_steps(struct handmade *h, int64_t n, int64_t steps) {
    static const char first[] =
        HANDMADE_HEAD "@group(0) @binding(2) var<storage, read_write> x: array<u32>;\n"
                      "@group(0) @binding(3) var<storage, read_write> y: array<u32>;\n"
                      "@group(0) @binding(4) var<storage, read_write> z: array<u32>;\n" HANDMADE_MAIN
                      "    y[i] = x[i] + params[2].x;\n}\n";
    static const char second[] =
        HANDMADE_HEAD "@group(0) @binding(2) var<storage, read_write> x: array<u32>;\n"
                      "@group(0) @binding(3) var<storage, read_write> y: array<u32>;\n"
                      "@group(0) @binding(4) var<storage, read_write> z: array<u32>;\n" HANDMADE_MAIN
                      "    x[i] = y[i] ^ z[i];\n    z[i]++;\n}\n";
    handmade_begin(h, "steps");
    handmade_array(h, "x", PLAN_INOUT, WHORL_U32, n);
    handmade_array(h, "y", PLAN_SCRATCH, WHORL_U32, n);
    handmade_array(h, "z", PLAN_SCRATCH, WHORL_U32, n);
    uint32_t t =
        handmade_scalar(h, (struct plan_scalar){.name = "t", .kind = PLAN_REPEAT, .dtype = WHORL_I32, .word = 8});
    handmade_kernel(h, "k0", first, handmade_const(h, n), 7);
    handmade_kernel(h, "k1", second, handmade_const(h, n), 7);
    struct plan_node *children = base_alloc_array(&h->cx, 2, sizeof *children);
    children[0] = handmade_dispatch(0);
    children[1] = handmade_dispatch(1);
    struct plan_node loop = {.kind = PLAN_LOOP,
                             .scalar = t,
                             .lo = handmade_const(h, 0),
                             .count = handmade_const(h, steps),
                             .step = 1,
                             .child_count = 2,
                             .children = children};
    h->plan.steps = (struct plan_strategy){.exists = true, .root = loop, .note = ""};
    h->plan.eager = h->plan.steps;
    h->plan.single = (struct plan_strategy){.note = "written by hand without one"};
}

// x[i] += 1, and the slice counts as cut where it has more than `most` iterations. `steps` does the same and is never
// cut.
__attribute__((unused)) static void handmade_cut(struct handmade *h, int64_t n, uint32_t most) {
    static const char form[] =
        HANDMADE_HEAD "@group(0) @binding(2) var<storage, read_write> xs: array<u32>;\n" HANDMADE_MAIN
                      "    if (params[0].y > %uu) { atomicAdd(&control[2], 1u); }\n    xs[i]++;\n}\n";
    handmade_begin(h, "cut");
    handmade_array(h, "xs", PLAN_INOUT, WHORL_U32, n);
    handmade_kernel(h, "k0", base_format(&h->cx, form, most), handmade_const(h, n), 1);
    handmade_kernel(h, "k1", base_format(&h->cx, form, UINT32_MAX), handmade_const(h, n), 1);
    h->plan.single = (struct plan_strategy){.exists = true, .root = handmade_dispatch(0), .note = ""};
    h->plan.steps = (struct plan_strategy){.exists = true, .root = handmade_dispatch(1), .note = ""};
}

#endif
