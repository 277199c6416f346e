// From an open model to one that runs, with the guard told of each stage.
#include "model_start.h"

#include <string.h>

#include "commands.h"
#include "progress.h"

enum whorl_status model_quantize(struct decoder *d, const struct cli_options *options, struct whorl_error *err) {
    if (!options->quantize) return WHORL_OK;
    if (strcmp(options->quantize, "q8") == 0) return decoder_set_form(d, DECODER_Q8, err);
    if (strcmp(options->quantize, "q4") == 0) return decoder_set_form(d, DECODER_Q4, err);
    return decoder_set_form(d, DECODER_F16, err); // "none", the third that there is
}

enum whorl_status model_start(struct model_start *m, const struct cli_options *options, uint32_t texts,
                              uint32_t context, struct whorl_error *err) {
    m->quiet = options->quiet;
    enum whorl_status status = model_quantize(&m->decoder, options, err);
    if (status == WHORL_OK) status = hooks_open(&m->hooks, options, &m->decoder, err);
    if (status == WHORL_OK) status = cli_open_device(options, &m->device, err);
    if (status != WHORL_OK) return status;
    guard_stage(GUARD_COMPILING);
    status = decoder_compile(&m->decoder, m->device, texts, context, err);
    if (status != WHORL_OK) return status;
    guard_expect(decoder_bytes(&m->decoder));
    guard_stage(GUARD_READING);
    status = decoder_load(&m->decoder, options->strategy, err);
    guard_stage(whorl_device_get_info(m->device)->is_cpu ? GUARD_ON_CPU : GUARD_STARTING);
    return status;
}

// ---- prompts --------------------------------------------------------------------------------------------------------

struct reading {
    struct progress bar;
    uint32_t all, done, now; // tokens: of the prompts, before this call, of this call
    double start_s;
};

static bool on_prompt(void *user, const struct whorl_progress *p) {
    struct reading *r = user;
    struct whorl_progress whole = *p;
    whole.fraction = (r->done + p->fraction * r->now) / r->all;
    whole.elapsed_s = cli_now_s() - r->start_s;
    return progress_step(&r->bar, &whole);
}

// guess: seconds of a call. A device of which nothing is known but that it is a GPU takes all at once, in slices.
static const double call_s = 0.2;

enum whorl_status model_prompt(struct model_start *m, bool judge, struct whorl_error *err) {
    struct decoder *d = &m->decoder;
    const struct whorl_device_info *info = whorl_device_get_info(m->device);
    uint32_t most = info->is_cpu || info->is_software ? DECODER_TILE : UINT32_MAX, calls = 0;
    struct reading r = {
        .bar = {.name = "prompt", .quiet = m->quiet}, .all = decoder_pending(d), .start_s = cli_now_s()};
    const struct decoder_run_options options = {.judge = judge, .progress = on_prompt, .user = &r};
    enum whorl_status status = WHORL_OK;
    for (uint32_t left = r.all; left > 0 && status == WHORL_OK; left = r.all - r.done) {
        double before = cli_now_s();
        r.now = left < most ? left : most;
        status = decoder_prompt(d, most, &options, err);
        if (status != WHORL_OK && status != WHORL_CANCELLED) break;
        enum whorl_status ended = model_stopped(err);
        if (ended != WHORL_OK) status = ended;
        double took = cli_now_s() - before, made = r.all - decoder_pending(d) - r.done;
        double fits = took > 0 ? call_s / took * made : UINT32_MAX;
        most = fits < DECODER_TILE ? DECODER_TILE : fits < 1e6 ? (uint32_t)fits : 1000000;
        r.done = r.all - decoder_pending(d);
        if (status == WHORL_OK) (void)on_prompt(&r, &(struct whorl_progress){.slice = ++calls});
        if (info->is_cpu) guard_stage(GUARD_ON_CPU);
    }
    progress_end(&r.bar);
    return status;
}

// ---- how it ends ----------------------------------------------------------------------------------------------------

bool model_progress(void *user, const struct whorl_progress *p) {
    (void)user;
    if (p->slice > 0) guard_stage(GUARD_IN_SLICES);
    return !guard_stopped();
}

enum whorl_status model_stopped(struct whorl_error *err) {
    double left = guard_left_s();
    if (guard_stopped()) return base_set_error(err, WHORL_CANCELLED, "run", "cancelled");
    if (left > 0 && left < 1e-5) return base_set_error(err, WHORL_STOPPED, "run", "stopped by --max-time");
    return WHORL_OK;
}

void model_stop(struct model_start *m) {
    decoder_close(&m->decoder);
    hooks_close(&m->hooks);
    whorl_device_destroy(m->device);
    *m = (struct model_start){0};
}
