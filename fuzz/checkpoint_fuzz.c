// Checkpoints from outside: whatever the bytes are, the reader refuses them or gives a place where a run of the program
// can stand. What lacks its arrays is completed with zeros. The first byte chooses the program; odd: the rest is a
// whole file, even: the part that a right checksum would cover.
#include <stdlib.h>
#include <string.h>

#include "run/execute/handmade_runs.h"
#include "run/session/grid_slice.h"
#include "run/state/checkpoint.h"

static struct handmade h;
static struct whorl_device device;
static struct run_gpu gpu;

// A session as far as the reader looks at it: sizes, values, the grid kernel's words.
static void open_session(struct whorl_session *s, struct run_keep *keep, uint32_t which) {
    static uint32_t x[HANDMADE_RUN_WORDS], want[HANDMADE_RUN_WORDS];
    struct whorl_run_options options;
    (void)handmade_run(&h, which, &options, x, want);
    device.gpu = &gpu;
    gpu.limits.maxStorageBufferBindingSize = 1 << 27;
    *s = (struct whorl_session){.device = &device,
                                .res = {.gpu = &gpu, .plan = &h.plan},
                                .scalars = {.plan = &h.plan},
                                .program = &h.program,
                                .plan = &h.plan,
                                .opened = options.strategy,
                                .strategy = options.strategy,
                                .keep = keep};
    s->scalars.values = calloc((size_t)h.plan.scalar_count * 2 + 1, sizeof *s->scalars.values);
    s->res.sizes = calloc(h.plan.buffer_count, sizeof *s->res.sizes);
    if (!s->scalars.values || !s->res.sizes) abort();
    for (uint32_t b = 0; b < h.plan.buffer_count; b++) {
        int64_t size;
        if (!plan_eval(&h.plan, h.plan.buffers[b].size_bytes, s->scalars.values, &size)) abort();
        s->res.sizes[b] = (uint64_t)size;
    }
    const struct plan_strategy *strategy = run_strategy_of(&h.plan, options.strategy);
    if (!strategy->fallback) return;
    s->res.grid = calloc(1, sizeof *s->res.grid);
    if (!s->res.grid) abort();
    *s->res.grid = (struct run_grid){.strategy = strategy, .kernel = strategy->root.kernel};
    s->res.grid->saved = calloc(h.plan.kernels[s->res.grid->kernel].resume_words, sizeof *s->res.grid->saved);
    if (!s->res.grid->saved) abort();
}

// What a run would do first with the place: take the item, or go on with the walk.
static void check_place(struct whorl_session *s) {
    struct run_place *at = &s->at.place;
    bool done = false;
    if (at->kind == RUN_AT_START || at->kind > RUN_AT_END || run_copy_bytes(s) > run_copy_most(s)) abort();
    if (at->kind != RUN_AT_TREE) return;
    if (at->in_item && (at->base >= at->item.iterations || (at->paused && at->count > at->item.iterations - at->base)))
        abort();
    if (at->has_item && at->item.is_test) {
        struct run_words words;
        run_walk_words(s->plan, &at->walk, &words);
        if (words.count == 0) abort();
        memset(words.values, 0, sizeof words.values);
        run_walk_decide(&s->scalars, &at->walk, &words);
    }
    for (int i = 0; i < 100 && !done; i++)
        if (run_walk_next(&s->scalars, &at->walk, &at->item, &done, NULL) != WHORL_OK || (!done && at->item.is_test))
            break;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes) {
    struct whorl_session s;
    struct run_keep keep = {0};
    struct whorl_error err;
    if (size_bytes == 0) return 0;
    open_session(&s, &keep, data[0] / 2 % HANDMADE_RUNS);
    struct run_copy copy = {.size_bytes = size_bytes - 1};
    size_t at = 0;
    const uint8_t *file = data + 1;
    enum whorl_status status = WHORL_OK;
    if (data[0] % 2) status = run_checkpoint_check(&s, "fuzz", file, size_bytes - 1, &copy, &at, &err);
    if (status != WHORL_OK && (status != WHORL_INVALID || !strstr(err.message, "; "))) abort();
    if (status == WHORL_OK) {    // arrays may be missing: their bytes are of no interest
        enum { ROOM = 1 << 14 }; // more than any of the programs has
        size_t given = copy.size_bytes;
        copy.size_bytes = given + ROOM;
        copy.data = calloc(copy.size_bytes + 1, 1);
        if (!copy.data) abort();
        memcpy(copy.data, file + at, given);
        (void)run_copy_place(&s, &copy); // of the wrong size
        if (run_copy_bytes(&s) <= given + ROOM) copy.size_bytes = run_copy_bytes(&s);
        if (run_copy_place(&s, &copy)) check_place(&s);
        copy.size_bytes = given; // and as it was given, by the sanitizer's measure
        unsigned char *exact = malloc(given + 1);
        if (!exact) abort();
        memcpy(exact, file + at, given);
        free(copy.data);
        copy.data = exact;
        if (run_copy_place(&s, &copy)) check_place(&s);
        free(exact);
    }
    if (s.res.grid) free(s.res.grid->saved);
    free(s.res.grid);
    free(s.scalars.values);
    free(s.res.sizes);
    handmade_end(&h);
    return 0;
}
