// Sessions and what they have on a device: made, made again after the device was lost, closed.
#include <string.h>

#include "run/session/buffers.h"
#include "run/session/grid_slice.h"

const struct plan_strategy *run_strategy_of(const struct plan *plan, enum whorl_strategy strategy) {
    return strategy == WHORL_SINGLE ? &plan->single : strategy == WHORL_EAGER ? &plan->eager : &plan->steps;
}

static enum whorl_status get_pipelines(struct whorl_session *s, const struct plan_node *node, struct whorl_error *err) {
    enum whorl_status status = WHORL_OK;
    if (node->kind == PLAN_DISPATCH && !s->res.kernels[node->kernel].pipeline)
        return run_pipeline_get(s->device, &s->plan->kernels[node->kernel], s->plan->param_words,
                                &s->res.kernels[node->kernel].pipeline, err);
    for (uint32_t i = 0; node->kind != PLAN_DISPATCH && i < node->child_count && status == WHORL_OK; i++)
        status = get_pipelines(s, &node->children[i], err);
    return status;
}

enum whorl_status run_session_prepare(struct whorl_session *s, const struct plan_node *root, struct whorl_error *err) {
    enum whorl_status status = get_pipelines(s, root, err);
    return status == WHORL_OK ? run_groups_create(&s->res, err) : status;
}

const struct plan_node *run_session_root(const struct whorl_session *s) {
    const struct plan_strategy *strategy = run_strategy_of(s->plan, s->strategy);
    bool abandoned = s->res.grid && s->res.grid->strategy == strategy && s->res.grid->abandoned;
    return abandoned ? strategy->fallback : &strategy->root;
}

static void *zeroed(size_t count, size_t each) {
    size_t bytes;
    void *p = base_mul_size(count ? count : 1, each, &bytes) ? base_heap_alloc(bytes) : NULL;
    if (p) memset(p, 0, bytes);
    return p;
}

// other: whose arrays are shared; NULL: nobody's.
static enum whorl_status open_gpu(struct whorl_session *s, const struct whorl_session *other, struct whorl_error *err) {
    const struct plan *plan = s->plan;
    struct run_resources *r = &s->res;
    r->buffers = zeroed(plan->buffer_count, sizeof *r->buffers);
    r->borrowed = zeroed(plan->buffer_count, sizeof *r->borrowed);
    r->sizes = zeroed(plan->buffer_count, sizeof *r->sizes);
    r->kernels = zeroed(plan->kernel_count, sizeof *r->kernels);
    if (!r->buffers || !r->borrowed || !r->sizes || !r->kernels)
        return base_set_error(err, WHORL_MEMORY, "run", "out of memory");
    enum whorl_status status = other ? run_borrow_buffers(s, other, err) : WHORL_OK;
    if (status == WHORL_OK) status = run_buffers_create(s, err);
    double start = run_now_s();
    size_t known = s->device->pipelines.count;
    if (status == WHORL_OK) status = run_grid_create(r, run_strategy_of(plan, s->strategy), s->choice.parts, err);
    if (status == WHORL_OK) status = get_pipelines(s, run_session_root(s), err);
    if (s->device->pipelines.count != known) s->progress.pipeline_ms = (run_now_s() - start) * 1e3;
    return status == WHORL_OK ? run_groups_create(r, err) : status;
}

static void close_gpu(struct run_resources *r) {
    run_buffers_destroy(r);
    base_heap_free(r->buffers);
    base_heap_free(r->borrowed);
    base_heap_free(r->sizes);
    base_heap_free(r->kernels);
    r->buffers = NULL;
    r->borrowed = NULL;
    r->sizes = NULL;
    r->kernels = NULL;
    r->batch = (struct run_batch){0};
    r->staging_bytes = 0;
}

// What was measured goes with the kernels' structs, and is measured anew.
enum whorl_status run_session_rebuild(struct whorl_session *s, struct whorl_error *err) {
    close_gpu(&s->res);
    s->res.gpu = s->device->gpu;
    s->res.dispatch_ns = 0;
    return open_gpu(s, NULL, err);
}

enum whorl_status run_session_new(struct whorl_device *device, const struct whorl_program *program,
                                  const struct whorl_scalar *scalars, size_t count, struct whorl_session **out,
                                  struct whorl_error *err) {
    const struct plan *plan = program->plan;
    *out = NULL;
    if (device->gpu && device->gpu->lost)
        return base_set_error(err, WHORL_DEVICE, "run", "the device was lost; open it again");
    struct whorl_session *s = zeroed(1, sizeof *s);
    int64_t *values = zeroed((size_t)plan->scalar_count * 2, sizeof *values);
    if (!s || !values) {
        base_heap_free(s);
        base_heap_free(values);
        return base_set_error(err, WHORL_MEMORY, "run", "out of memory");
    }
    s->device = device;
    s->program = program;
    s->plan = plan;
    s->res.gpu = device->gpu;
    s->res.plan = plan;
    s->scalars = (struct run_scalars){.plan = plan, .values = values};
    s->strategy = device->gpu ? WHORL_STEPS : WHORL_CPU; // for closing it, until there is one
    enum whorl_status status = run_take_scalars(plan, scalars, count, values, err);
    if (status == WHORL_OK)
        *out = s;
    else
        run_session_drop(s);
    return status;
}

enum whorl_status run_session_fill(struct whorl_session *s, struct whorl_error *err) {
    return s->strategy == WHORL_CPU ? run_host_open(s, err) : open_gpu(s, NULL, err);
}

enum whorl_status run_session_fill_beside(struct whorl_session *s, struct whorl_session *other,
                                          struct whorl_error *err) {
    if (s->strategy != WHORL_CPU) return open_gpu(s, other, err);
    enum whorl_status status = run_host_open(s, err);
    return status == WHORL_OK ? run_borrow_memory(s, other, err) : status;
}

void run_session_drop(struct whorl_session *s) {
    if (!s) return;
    if (s->strategy == WHORL_CPU)
        run_host_close(s);
    else
        close_gpu(&s->res);
    base_heap_free(s->scalars.values);
    base_heap_free(s);
}
