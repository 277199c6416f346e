// A decoder's life: its files, its program, its session. decoder_weights.c fills its parameters; what computes prompts
// in tiles is prompt_tiles.c's.
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/embed.h"
#include "decode/decoder.h"
#include "decode/params.h"

extern const struct base_embedded model_programs[]; // programs/models/*.c
extern const unsigned model_programs_count;

enum whorl_status decoder_open(struct decoder *d, const char *path, struct whorl_error *err) {
    enum whorl_status status = model_file_open(path, &d->file, err);
    if (status == WHORL_OK) status = model_config_read(path, d->file, &d->config, err);
    if (status == WHORL_OK) status = model_weights_open(d->file, &d->config, &d->weights, err);
    if (status == WHORL_OK) status = model_tokenizer_open(path, d->file, &d->tokenizer, err);
    if (status == WHORL_OK) decoder_keep_forms(d);
    if (status == WHORL_OK && (d->config.o_bias || d->config.mlp_bias))
        status = base_set_error(
            err, WHORL_UNSUPPORTED, "data",
            "this model has biases in its attention's output or its feed-forward part, which the decoder "
            "does not add yet");
    return status;
}

// ---- parameters by name ---------------------------------------------------------------------------------------------

size_t decoder_find(const whorl_program *program, const char *name) {
    size_t i = 0;
    while (i < whorl_program_param_count(program) && strcmp(whorl_program_param(program, i)->name, name) != 0)
        i++;
    return i;
}

size_t decoder_param_bytes(const struct whorl_param *p) {
    size_t bytes = whorl_dtype_size(p->dtype);
    for (uint32_t k = 0; k < p->ndims; k++)
        bytes *= (size_t)p->dims[k];
    return bytes;
}

enum whorl_status decoder_write(struct decoder *d, const char *name, const void *data, struct whorl_error *err) {
    size_t i = decoder_find(d->program, name);
    return whorl_session_write(d->session, i, data, decoder_param_bytes(whorl_program_param(d->program, i)), err);
}

enum whorl_status decoder_read(struct decoder *d, const char *name, void *data, struct whorl_error *err) {
    size_t i = decoder_find(d->program, name);
    return whorl_session_read(d->session, i, data, decoder_param_bytes(whorl_program_param(d->program, i)), err);
}

// ---- the program ----------------------------------------------------------------------------------------------------

const struct base_embedded *decoder_source(const char *name) {
    return base_embedded_find(model_programs, model_programs_count, name);
}

size_t decoder_defines(const struct decoder *d, const char **out) {
    size_t n = decoder_form_defines(d, out);
    if (d->config.qk_norm) out[n++] = "QK_NORM";
    if (!d->config.tied) out[n++] = "HEAD";
    if (d->hooks.trace) out[n++] = "TRACE";
    if (d->hooks.steer) out[n++] = "STEER";
    if (d->hooks.keep) out[n++] = "KEEP";
    return n;
}

static enum whorl_status compile(struct decoder *d, struct whorl_error *err) {
    const struct model_config *c = &d->config;
    const struct base_embedded *source = decoder_source("transformer.c");
    const struct whorl_scalar scalars[] = {
        {"layers", c->layers}, {"d", c->hidden},         {"heads", c->heads}, {"kv", c->kv_heads},
        {"hd", c->head_size},  {"ffn", c->intermediate}, {"vocab", c->vocab}, {"texts", d->texts},
        {"active", d->texts},  {"context", d->room},     {"count", 1},        {"judge", 0},
        {"eps", c->rms_eps},
    };
    static const char *const uniform[] = {"count", "judge", "active"};
    const char *defines[DECODER_DEFINES];
    struct whorl_compile_options o = WHORL_COMPILE_OPTIONS_INIT;
    o.scalars = scalars;
    o.scalar_count = sizeof scalars / sizeof *scalars;
    o.uniform = uniform;
    o.uniform_count = d->texts == 1 ? 2 : 3; // one text is always that one
    o.defines = defines;
    o.define_count = decoder_defines(d, defines);
    o.target = whorl_device_get_info(d->device)->target;
    return whorl_compile(source->name, source->text, &o, &d->program, err);
}

enum whorl_status decoder_compile(struct decoder *d, whorl_device *device, uint32_t texts, uint32_t context,
                                  struct whorl_error *err) {
    d->device = device;
    d->texts = texts;
    d->context = context;
    if (texts == 0 || texts > DECODER_TEXTS)
        return base_set_error(err, WHORL_INVALID, "data", "1 to %d texts side by side, not %u", DECODER_TEXTS, texts);
    if (context < 2 || context > d->config.context)
        return base_set_error(err, WHORL_LIMIT, "data", "this model's texts have 2 to %u tokens, not %u",
                              d->config.context, context);
    bool tiled = d->tiling != DECODER_NO_TILES && !d->hooks.trace && !d->hooks.steer && !d->hooks.keep;
    d->room = tiled ? (context + DECODER_TILE - 1) / DECODER_TILE * DECODER_TILE : context;
    size_t tokens = (size_t)texts * d->room;
    d->tokens = calloc(tokens, sizeof *d->tokens);
    d->likely = calloc(tokens, sizeof *d->likely);
    d->seen = calloc((size_t)texts * d->config.vocab, sizeof *d->seen);
    if (!d->tokens || !d->likely || !d->seen) return base_set_error(err, WHORL_MEMORY, "data", "out of memory");
    for (uint32_t i = 0; i < texts; i++) {
        d->text[i].tokens = d->tokens + (size_t)i * d->room;
        d->text[i].likely = d->likely + (size_t)i * d->room;
    }
    enum whorl_status status = compile(d, err);
    if (status == WHORL_OK && tiled) status = decoder_compile_tiles(d, err);
    if (status != WHORL_OK) return status;
    const struct whorl_device_info *info = whorl_device_get_info(device);
    if (info->max_buffer_bytes && decoder_bytes(d) / 8 > (double)info->max_buffer_bytes)
        return base_set_error(err, WHORL_LIMIT, "device",
                              "the model needs %.1f GB on the device, in buffers of which the largest may have %.1f "
                              "GB; take a smaller model, or less --context%s",
                              decoder_bytes(d) / 1e9, (double)info->max_buffer_bytes / 1e9,
                              texts > 1 ? ", or fewer --texts" : "");
    return WHORL_OK;
}

double decoder_bytes(const struct decoder *d) { return whorl_program_buffer_bytes(d->program) + d->tiles.bytes; }

enum whorl_status decoder_load(struct decoder *d, enum whorl_strategy strategy, struct whorl_error *err) {
    int32_t stops[DECODER_STOPS];
    for (uint32_t i = 0; i < DECODER_STOPS; i++)
        stops[i] = i < d->config.eos_count ? (int32_t)d->config.eos[i] : -1;
    if (whorl_device_get_info(d->device)->is_cpu) strategy = WHORL_CPU;
    enum whorl_status status = whorl_session_create(d->device, d->program, strategy, &d->session, err);
    if (status == WHORL_OK) status = decoder_upload(d, err);
    d->memory_bytes = decoder_bytes(d) - d->weights_bytes;
    if (status == WHORL_OK) status = decoder_write(d, "rope", d->weights.rope, err);
    if (status == WHORL_OK) status = decoder_write(d, "stops", stops, err);
    if (status == WHORL_OK && d->hooks.steer) status = decoder_write(d, "steer", d->hooks.steer, err);
    if (status == WHORL_OK && d->hooks.keep) status = decoder_write(d, "keep", d->hooks.keep, err);
    if (status == WHORL_OK && d->tiles.program) status = decoder_load_tiles(d, strategy, err);
    return status;
}

void decoder_close(struct decoder *d) {
    decoder_close_tiles(d);
    whorl_session_destroy(d->session);
    whorl_program_destroy(d->program);
    model_tokenizer_close(d->tokenizer);
    model_weights_close(&d->weights);
    model_file_close(d->file);
    free(d->tokens);
    free(d->likely);
    free(d->seen);
    *d = (struct decoder){0};
}
