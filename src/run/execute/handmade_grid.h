// Grid kernels and whiles written by hand, for tests: one program on a ring of words, as one dispatch with barriers and
// as a tree of ordinary dispatches that can go on from its resume point.
//
//   s = 1; for (r < rounds) for (t < steps) {
//       y[i] = x[i-1] * 3 + x[i+1] * 5 + x[i] + t + 7 * r + s;  x[i] = y[i];  s = s * 5 + t; }
// or with `while (w)` instead of the loops, w = ++t < steps. State words: s, w, t.
#ifndef WHORL_RUN_HANDMADE_GRID_H
#define WHORL_RUN_HANDMADE_GRID_H

#include <stdlib.h>

#include "run/execute/handmade.h"

struct handmade_ring {
    uint32_t n, rounds, steps;
    bool is_while;     // rounds = 1
    uint32_t fails_at; // pass in which the kernel says that a loop of it ended early, having spoiled x; 0: never
};

// What the program makes of x.
__attribute__((unused)) static void handmade_ring_expected(const struct handmade_ring *ring, uint32_t *x) {
    uint32_t *y = malloc(ring->n * sizeof *y), s = 1, n = ring->n;
    if (!y) abort();
    for (uint32_t r = 0; r < ring->rounds; r++)
        for (uint32_t t = 0; t < ring->steps; t++) {
            for (uint32_t i = 0; i < n; i++)
                y[i] = x[(i + n - 1) % n] * 3 + x[(i + 1) % n] * 5 + x[i] + t + 7 * r + s;
            memcpy(x, y, n * sizeof *y);
            s = s * 5 + t;
        }
    free(y);
}

// What the kernels of the tree and the grid kernel have in common.
#define HANDMADE_RING_HEAD                                                         \
    HANDMADE_HEAD "@group(0) @binding(2) var<storage, read_write> x: array<%s>;\n" \
                  "@group(0) @binding(3) var<storage, read_write> y: array<%s>;\n"

static const char handmade_grid_barrier[] =
    "@group(0) @binding(4) var<storage, read_write> saved: array<u32>;\n"
    "var<workgroup> verdict: u32;\nvar<workgroup> taken: array<u32, 5>;\nvar<private> goal: u32;\n"
    // All groups agree, because the first to say so decides. A compare-exchange may fail for no reason, hence the loop.
    "fn decide(wish: u32) -> u32 {\n"
    "    for (var k = 0u; k < 64u; k++) {\n"
    "        let r = atomicCompareExchangeWeak(&control[6], 0u, wish);\n"
    "        if (r.exchanged) { return wish; }\n        if (r.old_value != 0u) { return r.old_value; }\n    }\n"
    "    atomicAdd(&control[2], 1u);\n    return 2u;\n}\n"
    // A plain load before the loop would do, but lavapipe then takes the loop's loads for the same one.
    "fn roll_call() -> u32 {\n"
    "    var said = atomicOr(&control[6], 0u);\n    if (said != 0u) { return said; }\n"
    "    var here = atomicAdd(&control[5], 1u) + 1u;\n"
    "    for (var k = 0u; k < params[1].x && here < params[0].y && said == 0u; k++) {\n"
    "        here = atomicLoad(&control[5]);\n        said = atomicLoad(&control[6]);\n    }\n"
    "    if (said != 0u) { return said; }\n"
    "    return decide(select(2u, 1u, here >= params[0].y));\n}\n"
    "fn grid_barrier(lane: u32) {\n"
    "    if ((params[1].y & 1u) != 0u) { storageBarrier(); }\n    workgroupBarrier();\n"
    "    if (lane == 0u) {\n"
    "        goal += params[0].y;\n        var seen = atomicAdd(&control[4], 1u) + 1u;\n"
    "        for (var k = 0u; k < params[0].x && i32(seen - goal) < 0; k++) { seen = atomicLoad(&control[4]); }\n"
    "        if (i32(seen - goal) < 0) {\n"
    "            atomicStore(&control[4], goal + 0x40000000u);\n            atomicAdd(&control[2], 1u);\n        }\n   "
    " }\n"
    "    workgroupBarrier();\n}\n";

static const char handmade_grid_main[] =
    "@compute @workgroup_size(64) fn main(@builtin(workgroup_id) group: vec3<u32>,\n"
    "        @builtin(local_invocation_index) lane: u32) {\n"
    "    if (lane == 0u) { verdict = roll_call(); goal = params[1].z; }\n"
    "    if (workgroupUniformLoad(&verdict) != 1u) {\n"
    "        if (lane == 0u) { atomicAdd(&control[0], 1u); }\n        return;\n    }\n"
    "    var r = 0u; var t = 0u; var s = 1u; var w = select(0u, 1u, STEPS > 0u); var ticks = 0u; var paused = false;\n"
    "    if (params[0].w == 1u) {\n"
    "        if (lane == 0u) { for (var k = 0u; k < 5u; k++) { taken[k] = saved[k]; } }\n"
    "        r = workgroupUniformLoad(&taken[1]); t = workgroupUniformLoad(&taken[2]);\n"
    "        s = workgroupUniformLoad(&taken[3]); w = workgroupUniformLoad(&taken[4]);\n    }\n"
    "    let first = group.x * 64u + lane; let stride = params[0].y * 64u;\n"
    "    loop {\n"
    "        if (r >= ROUNDS || w == 0u) { break; }\n"
    "        if (ticks == params[0].z) { paused = true; break; }\n"
    "        if (t == STEPS) { t = 0u; r++; continue; }\n"
    "        ticks++;\n"
    "        for (var i = first; i < N; i += stride) {\n"
    "            atomicStore(&y[i], atomicLoad(&x[(i + N - 1u) % N]) * 3u + atomicLoad(&x[(i + 1u) % N]) * 5u\n"
    "                + atomicLoad(&x[i]) + t + 7u * r + s);\n        }\n"
    "        grid_barrier(lane);\n"
    "        for (var i = first; i < N; i += stride) { atomicStore(&x[i], atomicLoad(&y[i])); }\n"
    "        if (FAILS != 0u && r * STEPS + t == FAILS && first == 0u) {\n"
    "            atomicAdd(&control[2], 1u); atomicStore(&x[0], 0xdeadu);\n        }\n"
    "        grid_barrier(lane);\n"
    "        s = s * 5u + t; t++;\n"
    "        if (WHILES) { w = select(0u, 1u, t < STEPS); }\n    }\n"
    "    if (first == 0u && paused) {\n"
    "        saved[0] = 1u; saved[1] = r; saved[2] = t; saved[3] = s; saved[4] = w;\n"
    "        atomicAdd(&control[1], 1u);\n    }\n"
    "    if (lane == 0u) { atomicMax(&control[3], ticks); atomicAdd(&control[0], 1u); }\n}\n";

// The tree: INIT; for r, for t: A, B, S. They take r and t from the params, or t from the state.
static void handmade_ring_steps(struct handmade *h, const struct handmade_ring *ring, const char *constants) {
    static const char begin[] =
        HANDMADE_RING_HEAD "@group(0) @binding(4) var<storage, read_write> state: array<u32>;\n%s" HANDMADE_MAIN
                           "    if (WHILES && state[1] == 0u) { return; }\n"
                           "    let t = select(params[2].y, state[2], WHILES);\n%s}\n";
    static const char last[] = "    state[0] = state[0] * 5u + t;\n    state[2] = t + 1u;\n"
                               "    if (WHILES && t + 1u >= STEPS) { state[1] = 0u; }\n";
    static const char *const bodies[] = {
        "    y[i] = x[(i + N - 1u) % N] * 3u + x[(i + 1u) % N] * 5u + x[i] + t + 7u * params[2].x + state[0];\n",
        "    x[i] = y[i] + t - t;\n", last};
    static const char init[] =
        HANDMADE_RING_HEAD "@group(0) @binding(4) var<storage, read_write> state: array<u32>;\n%s" HANDMADE_MAIN
                           "    state[0] = 1u + 0u * i; state[1] = select(0u, 1u, STEPS > 0u); state[2] = 0u;\n}\n";
    for (uint32_t k = 0; k < 4; k++) {
        const char *text = k < 3 ? base_format(&h->cx, begin, "u32", "u32", constants, bodies[k])
                                 : base_format(&h->cx, init, "u32", "u32", constants);
        struct plan_kernel *kernel =
            handmade_kernel(h, base_format(&h->cx, "k%u", k), text, handmade_const(h, k < 2 ? ring->n : 1), 7);
        kernel->one_group = k >= 2;
        kernel->range_sliceable = k < 2;
    }
}

// The tree: INIT, then the loops around A, B, S. `resume`: the resume point of the innermost loop; 0: none.
static struct plan_node handmade_ring_tree(struct handmade *h, const struct handmade_ring *ring, uint32_t resume) {
    struct plan_node *sequence = base_alloc_array(&h->cx, 2, sizeof *sequence);
    struct plan_node *body = base_alloc_array(&h->cx, 3, sizeof *body), *inner = &sequence[1];
    for (uint32_t k = 0; k < 3; k++)
        body[k] = handmade_dispatch(k);
    sequence[0] = handmade_dispatch(3);
    if (ring->is_while) {
        *inner = (struct plan_node){.kind = PLAN_WHILE, .word = 1};
    } else {
        inner = base_alloc(&h->cx, sizeof *inner);
        sequence[1] = (struct plan_node){.kind = PLAN_LOOP,
                                         .scalar = 0,
                                         .lo = handmade_const(h, 0),
                                         .count = handmade_const(h, ring->rounds),
                                         .step = 1,
                                         .child_count = 1,
                                         .children = inner};
        *inner = (struct plan_node){.kind = PLAN_LOOP,
                                    .scalar = 1,
                                    .lo = handmade_const(h, 0),
                                    .count = handmade_const(h, ring->steps),
                                    .step = 1};
    }
    inner->child_count = 3;
    inner->children = body;
    inner->resume = resume;
    return (struct plan_node){.kind = PLAN_SEQ, .child_count = 2, .children = sequence};
}

static void handmade_ring_kernel(struct handmade *h, const struct handmade_ring *ring, const char *constants) {
    static const struct plan_saved of_loops[] = {{PLAN_SAVED_POINT, 0},
                                                 {PLAN_SAVED_COUNTER, 0},
                                                 {PLAN_SAVED_COUNTER, 1},
                                                 {PLAN_SAVED_STATE, 0},
                                                 {PLAN_SAVED_LIMIT, 0}};
    static const struct plan_saved of_while[] = {{PLAN_SAVED_POINT, 0},
                                                 {PLAN_SAVED_LIMIT, 0},
                                                 {PLAN_SAVED_STATE, 2},
                                                 {PLAN_SAVED_STATE, 0},
                                                 {PLAN_SAVED_STATE, 1}};
    struct plan_grid *grid = base_alloc(&h->cx, sizeof *grid);
    *grid = (struct plan_grid){.widest = handmade_const(h, ring->n), .chunk = 64, .tick_barriers = 2, .saved_count = 5};
    grid->saved = base_alloc_array(&h->cx, 5, sizeof *grid->saved);
    memcpy(grid->saved, ring->is_while ? of_while : of_loops, sizeof of_loops);
    struct plan_kernel *k =
        handmade_kernel(h, "grid",
                        base_format(&h->cx, HANDMADE_RING_HEAD "%s%s%s", "atomic<u32>", "atomic<u32>", constants,
                                    handmade_grid_barrier, handmade_grid_main),
                        handmade_const(h, 1), 3);
    k->binding_count = 2; // not the state
    k->range_sliceable = false;
    k->resume_words = 5;
    k->ticks = ring->is_while ? 0 : (uint64_t)ring->rounds * ring->steps;
    k->tick_loops = 1;
    k->grid = grid;
}

__attribute__((unused)) static void handmade_ring(struct handmade *h, struct handmade_ring ring) {
    handmade_begin(h, "ring");
    handmade_array(h, "x", PLAN_INOUT, WHORL_U32, ring.n);
    handmade_array(h, "y", PLAN_SCRATCH, WHORL_U32, ring.n);
    handmade_array(h, "state", PLAN_SCRATCH, WHORL_U32, 3);
    h->plan.state_buffer = 2;
    const char *constants = base_format(
        &h->cx, "const N = %uu; const ROUNDS = %uu; const STEPS = %uu; const FAILS = %uu; const WHILES = %s;\n", ring.n,
        ring.rounds, ring.steps, ring.fails_at, ring.is_while ? "true" : "false");
    static const char *const counters[] = {"r", "t"};
    for (uint32_t i = 0; i < 2; i++)
        handmade_scalar(
            h, (struct plan_scalar){.name = counters[i], .kind = PLAN_REPEAT, .dtype = WHORL_I32, .word = 8 + i});
    handmade_ring_steps(h, &ring, constants);
    handmade_ring_kernel(h, &ring, constants);
    struct plan_node root = handmade_ring_tree(h, &ring, 0), *fallback = base_alloc(&h->cx, sizeof *fallback);
    *fallback = handmade_ring_tree(h, &ring, 1);
    h->plan.steps = h->plan.eager = (struct plan_strategy){.exists = true, .root = root, .note = ""};
    h->plan.single =
        (struct plan_strategy){.exists = true, .root = handmade_dispatch(4), .fallback = fallback, .note = ""};
}

#endif
