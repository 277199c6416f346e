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

static bool is_matrix(const struct model_weight *w) { return w && w->tensor && w->rows > 1; }

// Whether all matrices of a parameter, in all layers, are of types that stay as they are in a form.
static bool stays(const struct decoder *d, size_t at, bool (*is_form)(enum model_element type)) {
    bool any = false;
    for (uint32_t l = 0; l < d->config.layers; l++)
        for (int k = 0; k < 3 && parameters[at].parts[k] != NO_ROLE; k++) {
            const struct model_weight *w = model_weight_of(&d->weights, parameters[at].parts[k], l);
            if (!is_matrix(w)) continue;
            any = true;
            if (!is_form(w->tensor->type)) return false;
        }
    return any;
}

static void set_form(struct decoder *d, size_t at, enum decoder_form form) {
    for (int k = 0; k < 3 && parameters[at].parts[k] != NO_ROLE; k++)
        d->forms[parameters[at].parts[k]] = form;
}

void decoder_keep_forms(struct decoder *d) {
    for (size_t at = 0; at < PARAMETERS; at++)
        set_form(d, at, stays(d, at, model_is_q4) ? DECODER_Q4 : stays(d, at, model_is_q8) ? DECODER_Q8 : DECODER_F16);
}

enum whorl_status decoder_set_form(struct decoder *d, enum decoder_form form, struct whorl_error *err) {
    for (size_t at = 0; at < PARAMETERS; at++) {
        enum model_role role = parameters[at].parts[0];
        const struct model_weight *w = model_weight_of(&d->weights, role, 0);
        if (!is_matrix(w)) continue;
        if (form != DECODER_F16 && w->columns % MODEL_BLOCK)
            return base_set_error(
                err, WHORL_UNSUPPORTED, "data", "%s has blocks of %d weights, and \"%s\" has rows of %llu",
                form == DECODER_Q8 ? "q8" : "q4", MODEL_BLOCK, w->tensor->name, (unsigned long long)w->columns);
        bool words = role == MODEL_EMBED || role == MODEL_HEAD;
        set_form(d, at, form == DECODER_Q4 && words && !stays(d, at, model_is_q4) ? DECODER_Q8 : form);
    }
    return WHORL_OK;
}

static bool is_used(const struct decoder *d, size_t at) {
    enum model_role role = parameters[at].parts[0];
    return is_matrix(model_weight_of(&d->weights, role, 0)) && !(role == MODEL_HEAD && d->config.tied);
}

const char *decoder_forms_name(const struct decoder *d) {
    static const char *const names[1 << DECODER_FORMS] = {
        "", "f16", "q8", "f16 and q8", "q4", "f16 and q4", "q8 and q4", "f16, q8 and q4",
    };
    unsigned used = 0;
    for (size_t at = 0; at < PARAMETERS; at++)
        if (is_used(d, at)) used |= 1u << d->forms[parameters[at].parts[0]];
    return names[used];
}

double decoder_form_bytes(enum decoder_form form) {
    static const double bytes[DECODER_FORMS] = {2, 1 + 2.0 / MODEL_BLOCK, 0.5 + 2.0 / MODEL_BLOCK};
    return bytes[form];
}

size_t decoder_form_defines(const struct decoder *d, const char **out) {
    static const char *const defines[PARAMETERS][2] = {
#define X(name, first, second, third, may_lack) {"FORM_" #name "=Q8", "FORM_" #name "=Q4"},
#include "decode/parameter.def"
#undef X
    };
    size_t n = 0;
    for (size_t at = 0; at < PARAMETERS; at++) {
        enum decoder_form form = d->forms[parameters[at].parts[0]];
        if (is_used(d, at) && form != DECODER_F16) out[n++] = defines[at][form == DECODER_Q4];
    }
    return n;
}

// ---- parameters -----------------------------------------------------------------------------------------------------

static bool convert(const struct model_weight *w, enum whorl_dtype dtype, void *out, uint16_t *scales) {
    switch (dtype) {
    case WHORL_I8: return model_weight_q8(w, 0, w->rows, out, scales);
    case WHORL_U32: return model_weight_q4(w, 0, w->rows, out, scales);
    case WHORL_F16: return model_weight_f16(w, 0, w->rows, out);
    default: return model_weight_f32(w, 0, w->rows, out);
    }
}

// Weights in an element of the parameter's array.
static size_t weights_each(const struct whorl_param *p) { return p->dtype == WHORL_U32 ? MODEL_Q4_WORD : 1; }

// The array of a parameter, from the weights of all layers; scales: of whole numbers.
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
            to += w->rows * w->columns / weights_each(p) * size;
            if (scales) scales += w->rows * w->columns / MODEL_BLOCK;
        }
    return true;
}

static enum whorl_status upload_one(struct decoder *d, size_t at, size_t i, struct whorl_error *err) {
    const struct whorl_param *p = whorl_program_param(d->program, i);
    bool scaled = p->dtype == WHORL_I8 || p->dtype == WHORL_U32;
    size_t bytes = decoder_param_bytes(p), weights = bytes / whorl_dtype_size(p->dtype) * weights_each(p);
    size_t more = scaled ? weights / MODEL_BLOCK * sizeof(uint16_t) : 0;
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
