// Programs for tests that stop a run and go on with it: one for every way in which a run can stand between two slices.
#ifndef WHORL_RUN_HANDMADE_RUNS_H
#define WHORL_RUN_HANDMADE_RUNS_H

#include "run/execute/handmade_grid.h"

enum { HANDMADE_RUNS = 9, HANDMADE_RUN_WORDS = 300 };

// Prepares program `which` with its options, in slices that are short; x: its inputs, want: what they become. It has
// one array of HANDMADE_RUN_WORDS words.
__attribute__((unused)) static const char *
handmade_run(struct handmade *h, uint32_t which, struct whorl_run_options *options, uint32_t *x, uint32_t *want) {
    enum { N = HANDMADE_RUN_WORDS };
    static const char *const names[HANDMADE_RUNS] = {"grid, loops",
                                                     "grid, while",
                                                     "steps, loops",
                                                     "steps, while",
                                                     "eager, loops",
                                                     "grid that is left on the way",
                                                     "sliced inside",
                                                     "sliced outside and inside",
                                                     "steps with scratch arrays"};
    struct handmade_ring ring = {.n = N, .rounds = 3, .steps = 7};
    *options = (struct whorl_run_options)WHORL_RUN_OPTIONS_INIT;
    options->groups = 1;
    options->slice_ticks = 2;
    options->strategy = which < 2 || which == 5 ? WHORL_SINGLE : which == 4 ? WHORL_EAGER : WHORL_STEPS;
    for (uint32_t i = 0; i < N; i++)
        x[i] = want[i] = i * 7919u;
    if (which < 6) {
        if (which == 1 || which == 3) ring = (struct handmade_ring){.n = N, .rounds = 1, .steps = 21, .is_while = true};
        if (which == 5) ring.fails_at = 9;
        handmade_ring_expected(&ring, want);
        handmade_ring(h, ring);
        if (which == 2 || which == 3 || which == 5) options->slice_iterations = 100; // of the steps
    } else if (which < 8) {
        enum { PASSES = 23 };
        handmade_loop(h, N, PASSES);
        if (which == 7) options->slice_iterations = 110;
        for (uint32_t i = 0; i < N; i++)
            for (uint32_t k = 0; k < PASSES; k++)
                want[i] = want[i] * 1664525u + 1013904223u + k;
    } else {
        enum { STEPS = 9 };
        handmade_steps(h, N, STEPS);
        options->slice_iterations = 150;
        for (uint32_t t = 0; t < STEPS; t++)
            for (uint32_t i = 0; i < N; i++)
                want[i] = (want[i] + t) ^ t;
    }
    h->program.plan_json = plan_write(&h->cx, &h->plan, NULL);
    return names[which];
}

#endif
