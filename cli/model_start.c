// From an open model to one that runs, with the guard told of each stage.
#include "model_start.h"

#include <string.h>

#include "commands.h"

enum whorl_status model_quantize(struct decoder *d, const struct cli_options *options, struct whorl_error *err) {
    if (!options->quantize) return WHORL_OK;
    if (strcmp(options->quantize, "q8") == 0) return decoder_set_form(d, DECODER_Q8, err);
    if (strcmp(options->quantize, "none") == 0) return decoder_set_form(d, DECODER_F16, err);
    return base_set_error(err, WHORL_INVALID, "data", "--quantize is q8 or none, not `%s`", options->quantize);
}

enum whorl_status model_start(struct model_start *m, const struct cli_options *options, uint32_t context,
                              struct whorl_error *err) {
    enum whorl_status status = model_quantize(&m->decoder, options, err);
    if (status == WHORL_OK) status = cli_open_device(options, &m->device, err);
    if (status != WHORL_OK) return status;
    guard_stage(GUARD_COMPILING);
    status = decoder_compile(&m->decoder, m->device, 1, context, err);
    if (status != WHORL_OK) return status;
    guard_expect(decoder_bytes(&m->decoder));
    guard_stage(GUARD_READING);
    status = decoder_load(&m->decoder, options->strategy, err);
    guard_stage(whorl_device_get_info(m->device)->is_cpu ? GUARD_ON_CPU : GUARD_STARTING);
    return status;
}

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
    whorl_device_destroy(m->device);
    *m = (struct model_start){0};
}
