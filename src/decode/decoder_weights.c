// The decoder's parameters are filled by their names. A weight is converted while it is copied, an array at a time, so
// that no more than one array stands twice in memory.
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "decode/params.h"

#define NO_ROLE MODEL_ROLES

// Which weights a parameter is made of: in each layer so many, one behind the other.
static const struct {
    const char *name;
    enum model_role parts[3];
    bool may_lack; // zeros then
} parameters[] = {
#define X(name, first, second, third, may_lack) {#name, {first, second, third}, may_lack},
#include "decode/parameter.def"
#undef X
};
enum { PARAMETERS = sizeof parameters / sizeof *parameters };

// ---- the form of matrices -------------------------------------------------------------------------------------------

static bool is_matrix(const struct model_weight *w) { return w->tensor && w->rows > 1; }

enum decoder_form decoder_form_of_file(const struct decoder *d) {
    for (uint32_t l = 0; l < d->config.layers; l++)
        for (int role = 0; role < MODEL_ROLES; role++) {
            const struct model_weight *w = model_weight_of(&d->weights, (enum model_role)role, l);
            if (is_matrix(w) && w->tensor->type != MODEL_Q8_0) return DECODER_F16;
        }
    return DECODER_Q8;
}

enum whorl_status decoder_set_form(struct decoder *d, enum decoder_form form, struct whorl_error *err) {
    for (int role = 0; role < MODEL_ROLES && form == DECODER_Q8; role++) {
        const struct model_weight *w = model_weight_of(&d->weights, (enum model_role)role, 0);
        if (is_matrix(w) && w->columns % MODEL_Q8_BLOCK)
            return base_set_error(err, WHORL_UNSUPPORTED, "data",
                                  "q8 has blocks of %d weights, and \"%s\" has rows of %llu", MODEL_Q8_BLOCK,
                                  w->tensor->name, (unsigned long long)w->columns);
    }
    d->form = form;
    return WHORL_OK;
}

const char *decoder_form_name(enum decoder_form form) { return form == DECODER_Q8 ? "q8" : "f16"; }

// ---- parameters -----------------------------------------------------------------------------------------------------

static bool convert(const struct model_weight *w, enum whorl_dtype dtype, void *out, uint16_t *scales) {
    switch (dtype) {
    case WHORL_I8: return model_weight_q8(w, 0, w->rows, out, scales);
    case WHORL_F16: return model_weight_f16(w, 0, w->rows, out);
    default: return model_weight_f32(w, 0, w->rows, out);
    }
}

// The array of a parameter, from the weights of all layers; scales: of 8-bit ones.
static bool gather(const struct decoder *d, size_t at, const struct whorl_param *p, void *out, uint16_t *scales) {
    bool in_layers = p->dims[0] == d->config.layers && parameters[at].parts[0] != MODEL_EMBED &&
                     parameters[at].parts[0] != MODEL_FINAL_NORM && parameters[at].parts[0] != MODEL_HEAD;
    size_t size = whorl_dtype_size(p->dtype);
    unsigned char *to = out;
    for (uint32_t l = 0; l < (in_layers ? d->config.layers : 1); l++)
        for (int k = 0; k < 3 && parameters[at].parts[k] != NO_ROLE; k++) {
            const struct model_weight *w = model_weight_of(&d->weights, parameters[at].parts[k], l);
            bool is_there = w && w->tensor;
            if (!is_there && !parameters[at].may_lack) return false;
            if (!is_there) continue; // all of them lack: the array is zeros
            if (!convert(w, p->dtype, to, scales)) return false;
            to += w->rows * w->columns * size;
            if (scales) scales += w->rows * w->columns / MODEL_Q8_BLOCK;
        }
    return true;
}

static enum whorl_status upload_one(struct decoder *d, size_t at, size_t i, struct whorl_error *err) {
    const struct whorl_param *p = whorl_program_param(d->program, i);
    size_t bytes = decoder_param_bytes(p), more = p->dtype == WHORL_I8 ? bytes / MODEL_Q8_BLOCK * sizeof(uint16_t) : 0;
    void *data = calloc(1, bytes);
    uint16_t *scales = more ? malloc(more) : NULL;
    enum whorl_status status = WHORL_OK;
    if (!data || (more && !scales))
        status = base_set_error(err, WHORL_MEMORY, "data", "out of memory");
    else if (!gather(d, at, p, data, scales))
        status = base_set_error(err, WHORL_INVALID, "data", "a tensor of the model could not be converted");
    if (status == WHORL_OK) status = whorl_session_write(d->session, i, data, bytes, err);
    if (status == WHORL_OK && more) // the scales are the next parameter
        status = whorl_session_write(d->session, i + 1, scales, more, err);
    d->weights_bytes += (double)(bytes + more);
    free(data);
    free(scales);
    return status;
}

enum whorl_status decoder_upload(struct decoder *d, struct whorl_error *err) {
    for (size_t at = 0; at < PARAMETERS; at++) {
        size_t i = decoder_find(d->program, parameters[at].name);
        if (i == whorl_program_param_count(d->program)) continue; // not of this family
        enum whorl_status status = upload_one(d, at, i, err);
        if (status != WHORL_OK) return status;
    }
    return WHORL_OK;
}
