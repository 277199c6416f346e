// See grid_slice.h. A slice that fails is undone by copies. They are made on the device, in the same submit and before
// the dispatch. A slice in which the program starts needs copies of those parameters alone that it does not make anew.
#include <string.h>

#include "run/session/command_list.h"
#include "run/session/grid_slice.h"
#include "run/session/launch.h"

const struct plan_kernel *run_grid_kernel(const struct run_resources *r) { return &r->plan->kernels[r->grid->kernel]; }

static uint64_t saved_bytes(const struct run_resources *r) { return (uint64_t)run_grid_kernel(r)->resume_words * 4; }

enum whorl_status run_grid_create(struct run_resources *r, const struct plan_strategy *strategy, bool abandoned,
                                  struct whorl_error *err) {
    if (!strategy->fallback) return WHORL_OK;
    const struct plan_kernel *k = &r->plan->kernels[strategy->root.kernel];
    struct run_grid *g = r->grid = base_heap_alloc(sizeof *g);
    if (!g) return base_set_error(err, WHORL_MEMORY, "run", "out of memory");
    *g = (struct run_grid){.strategy = strategy, .kernel = strategy->root.kernel, .abandoned = abandoned};
    g->shadows = base_heap_alloc((k->binding_count + 1) * sizeof *g->shadows);
    if (g->shadows) memset(g->shadows, 0, (k->binding_count + 1) * sizeof *g->shadows);
    g->saved = base_heap_alloc(((size_t)k->resume_words + 1) * 2 * sizeof *g->saved);
    if (!g->shadows || !g->saved) return base_set_error(err, WHORL_MEMORY, "run", "out of memory");
    g->found = g->saved + k->resume_words + 1;
    return run_gpu_buffer(r->gpu, "grid_read", (uint64_t)RUN_GRID_QUEUE * RUN_CONTROL_BYTES + saved_bytes(r),
                          WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst, &g->read, err);
}

void run_grid_destroy(struct run_resources *r) {
    struct run_grid *g = r->grid;
    if (!g) return;
    for (uint32_t b = 0; g->shadows && b < run_grid_kernel(r)->binding_count; b++)
        run_gpu_drop_buffer(r->gpu, &g->shadows[b]);
    run_gpu_drop_buffer(r->gpu, &g->read);
    base_heap_free(g->shadows);
    base_heap_free(g->saved);
    base_heap_free(g);
    r->grid = NULL;
}

enum whorl_status run_grid_make_shadows(struct run_resources *r, struct whorl_error *err) {
    struct run_grid *g = r->grid;
    const struct plan_kernel *k = run_grid_kernel(r);
    enum whorl_status status = WHORL_OK;
    for (uint32_t b = 0; b < k->binding_count && status == WHORL_OK; b++)
        if (k->bindings[b].writable && !g->shadows[b])
            status = run_gpu_buffer(r->gpu, "copy", r->sizes[k->bindings[b].buffer],
                                    WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst, &g->shadows[b], err);
    g->has_shadows = status == WHORL_OK;
    return status;
}

// A call that starts again needs something that is in it.
static bool is_needed(const struct plan *p, uint32_t buffer) {
    for (uint32_t i = 0; i < p->array_count; i++)
        if (p->arrays[i].buffer == buffer && p->arrays[i].kind != PLAN_SCRATCH && !p->arrays[i].anew) return true;
    return false;
}

// Between buffers and shadows. `some`: only what a fresh start needs.
static void list_shadows(struct whorl_session *s, bool some, bool back) {
    const struct plan_kernel *k = run_grid_kernel(&s->res);
    for (uint32_t b = 0; b < k->binding_count; b++) {
        uint32_t buffer = k->bindings[b].buffer;
        if (!s->res.grid->shadows[b] || (some && !is_needed(s->plan, buffer))) continue;
        WGPUBuffer from = s->res.buffers[buffer], to = s->res.grid->shadows[b];
        run_command_copy(&s->res, back ? to : from, 0, back ? from : to, 0, s->res.sizes[buffer]);
    }
}

static void list_slice(struct whorl_session *s, const struct run_grid_slice *slice) {
    struct run_resources *r = &s->res;
    for (uint32_t i = 0; i < slice->calls; i++) {
        if (slice->fresh) run_launch_clear_scratch(s);
        if (slice->keeps && slice->first + i == 0) list_shadows(s, slice->fresh, false);
        run_command_dispatch(r, i, &r->batch.items[0]);
        run_command_copy_control(r, i, r->grid->read,
                                 saved_bytes(r) + (uint64_t)(slice->first + i) * RUN_CONTROL_BYTES);
    }
    if (saved_bytes(r)) run_command_copy(r, r->kernels[r->grid->kernel].saved, 0, r->grid->read, 0, saved_bytes(r));
}

enum whorl_status run_grid_submit(struct whorl_session *s, const struct run_grid_slice *slice,
                                  struct whorl_error *err) {
    enum whorl_status status = run_control_take(&s->res, slice->calls, err);
    uint32_t first = slice->words[PLAN_GRID_FIRST]; // 0, but in tests
    if (first && status == WHORL_OK)
        status = run_gpu_write(s->res.gpu, s->res.control,
                               run_control_offset(&s->res, 0) + PLAN_CONTROL_BARRIER * sizeof first, &first,
                               sizeof first, err);
    run_launch_empty(&s->res.batch);
    run_launch_add_words(s, s->res.grid->kernel, slice->words, slice->groups, 1);
    if (status == WHORL_OK) {
        list_slice(s, slice);
        status = run_launch_commands(s, err);
    }
    run_launch_empty(&s->res.batch);
    s->flight.has_control = false;
    s->res.grid->kept = slice->keeps;
    s->res.grid->kept_some = slice->fresh;
    return status;
}

enum whorl_status run_grid_wait(struct whorl_session *s, uint32_t calls, uint32_t (*out_control)[PLAN_CONTROL_WORDS],
                                struct whorl_error *err) {
    struct run_gpu *g = s->res.gpu;
    const void *mapped;
    size_t saved = (size_t)saved_bytes(&s->res), blocks = (size_t)calls * RUN_CONTROL_BYTES;
    double timeout_s = g->timeout_s * (s->policy.slice_ms == 0 ? 10 : 1);
    enum whorl_status status = run_commands_foresee(&s->res, err);
    if (status == WHORL_OK) status = run_gpu_map(g, s->res.grid->read, saved + blocks, timeout_s, &mapped, err);
    if (status != WHORL_OK) return status;
    memcpy(s->res.grid->found, mapped, saved);
    memcpy(out_control, (const char *)mapped + saved, blocks);
    g->lib.BufferUnmap(s->res.grid->read);
    s->progress.last_done_s = run_now_s();
    s->flight.pending = 0;
    return WHORL_OK;
}

enum whorl_status run_grid_put_back(struct whorl_session *s, struct whorl_error *err) {
    list_shadows(s, s->res.grid->kept_some, true);
    return run_launch_commands(s, err);
}
