// Roles to tensors. Every tensor of the file must have found its role in the end: a bias that nobody adds would be a
// wrong answer without an error.
#include "model/weights/weights.h"

#include <stdlib.h>
#include <string.h>

enum extent { ONE, VOCAB, HIDDEN, QUERIES, KEYS, INTERMEDIATE, HEAD_SIZE };

static const struct {
    bool layer;
    const char *names[2]; // safetensors, GGUF
    enum extent rows, columns;
} roles[] = {
#define X(role, layer, safetensors, gguf, rows, columns) {layer, {safetensors, gguf}, rows, columns},
#include "model/weights/role.def"
#undef X
};

struct opening {
    const struct model_file *file;
    const struct model_config *c;
    struct model_weights *out;
    bool *used; // [tensor]
};

static uint64_t extent_of(const struct model_config *c, enum extent extent) {
    switch (extent) {
    case VOCAB: return c->vocab;
    case HIDDEN: return c->hidden;
    case QUERIES: return (uint64_t)c->heads * c->head_size;
    case KEYS: return (uint64_t)c->kv_heads * c->head_size;
    case INTERMEDIATE: return c->intermediate;
    case HEAD_SIZE: return c->head_size;
    default: return 1;
    }
}

static bool is_wanted(const struct model_config *c, enum model_role role) {
    switch (role) {
    case MODEL_HEAD: return !c->tied;
    case MODEL_Q_BIAS:
    case MODEL_K_BIAS:
    case MODEL_V_BIAS: return c->qkv_bias;
    case MODEL_O_BIAS: return c->o_bias;
    case MODEL_Q_NORM:
    case MODEL_K_NORM: return c->qk_norm;
    case MODEL_GATE_BIAS:
    case MODEL_UP_BIAS:
    case MODEL_DOWN_BIAS: return c->mlp_bias;
    default: return true;
    }
}

static void take(struct opening *o, enum model_role role, uint32_t layer) {
    struct model_work *w = &o->out->work;
    bool gguf = o->file->gguf.version != 0;
    const char *name = roles[role].names[gguf];
    if (roles[role].layer) name = base_format(&w->cx, gguf ? "blk.%u.%s" : "model.layers.%u.%s", layer, name);
    const struct model_tensor *t = model_tensors_find(&o->file->tensors, name);
    if (!t) model_invalid(w, "the tensor \"%s\" is missing", name);
    o->used[t - o->file->tensors.items] = true;
    struct model_weight *weight = &o->out->table[(size_t)layer * MODEL_ROLES + role];
    weight->tensor = t;
    weight->rows = extent_of(o->c, roles[role].rows);
    weight->columns = extent_of(o->c, roles[role].columns);
    bool vector = roles[role].rows == ONE;
    if (t->ndims != (vector ? 1 : 2) || model_row_elements(t) != weight->columns ||
        (!vector && t->dims[0] != weight->rows))
        model_invalid(w, "\"%s\" has another shape than the configuration says: %llu x %llu is expected", name,
                      (unsigned long long)weight->rows, (unsigned long long)weight->columns);
    if (!model_element_info(t->type)->convertible)
        model_refuse(w, WHORL_UNSUPPORTED,
                     "\"%s\" has the type %s, which whorl does not convert; it reads f32, f16, "
                     "bf16, q8_0, q4_0, q4_1, q5_0, q5_1, q4_k, q5_k and q6_k",
                     name, model_element_info(t->type)->name);
    bool rotated = role == MODEL_Q || role == MODEL_K || role == MODEL_Q_BIAS || role == MODEL_K_BIAS;
    if (o->c->rope_pairs && rotated) weight->paired_head = o->c->head_size;
}

// Buffers that some checkpoints carry and no computation reads; and a second copy of a tied head.
static bool is_harmless(const struct opening *o, const char *name) {
    static const char buffer[] = ".rotary_emb.inv_freq";
    size_t size = strlen(name);
    if (size > sizeof buffer && strcmp(name + size - (sizeof buffer - 1), buffer) == 0) return true;
    return strcmp(name, "rope_freqs.weight") == 0 || (o->c->tied && strcmp(name, "lm_head.weight") == 0);
}

static void take_rope(struct opening *o) {
    struct model_work *w = &o->out->work;
    uint32_t pairs = o->c->head_size / 2;
    float *factors = NULL;
    o->out->rope = base_alloc_array(&w->cx, pairs, sizeof *o->out->rope);
    if (o->c->rope.kind == MODEL_ROPE_FACTORS) {
        const struct model_tensor *t = model_tensors_find(&o->file->tensors, "rope_freqs.weight");
        if (!t || t->type != MODEL_F32 || t->elements != pairs || t->ndims != 1)
            model_invalid(w, "\"rope_freqs.weight\" is not a vector of %u floats", pairs);
        factors = base_alloc_array(&w->cx, pairs, sizeof *factors);
        model_rows_f32(t, 0, 1, factors);
        for (uint32_t i = 0; i < pairs; i++)
            if (!(factors[i] >= 1e-6f && factors[i] <= 1e6f))
                model_invalid(w, "\"rope_freqs.weight\" holds a factor that is not from 1e-6 to 1e6");
    }
    model_rope_frequencies(o->c, factors, o->out->rope);
}

static void open_weights(struct model_work *w, void *arg) {
    struct opening *o = arg;
    const struct model_tensors *tensors = &o->file->tensors;
    w->name = base_strndup(&w->cx, o->file->work.name, strlen(o->file->work.name));
    o->used = base_alloc_array(&w->cx, tensors->count, sizeof *o->used);
    o->out->layers = o->c->layers;
    o->out->table = base_alloc_array(&w->cx, (size_t)o->c->layers * MODEL_ROLES, sizeof *o->out->table);
    for (uint32_t layer = 0; layer < o->c->layers; layer++)
        for (int role = 0; role < MODEL_ROLES; role++)
            if (is_wanted(o->c, (enum model_role)role) && (roles[role].layer || layer == 0))
                take(o, (enum model_role)role, layer);
    if (o->c->tied) o->out->table[MODEL_HEAD] = o->out->table[MODEL_EMBED];
    for (uint32_t i = 0; i < tensors->count; i++)
        if (!o->used[i] && !is_harmless(o, tensors->items[i].name))
            model_refuse(w, WHORL_UNSUPPORTED,
                         "the tensor \"%.200s\" has no place in a model of the family %s with this "
                         "configuration",
                         tensors->items[i].name, model_family_name(o->c->family));
    take_rope(o);
}

enum whorl_status model_weights_open(const struct model_file *file, const struct model_config *config,
                                     struct model_weights *out, struct whorl_error *err) {
    struct opening o = {.file = file, .c = config, .out = out};
    memset(out, 0, sizeof *out);
    model_work_init(&out->work, "model");
    enum whorl_status status = model_work_run(&out->work, err, open_weights, &o);
    if (status != WHORL_OK) model_weights_close(out);
    return status;
}

void model_weights_close(struct model_weights *weights) {
    model_work_deinit(&weights->work);
    memset(weights, 0, sizeof *weights);
}

const struct model_weight *model_weight_of(const struct model_weights *weights, enum model_role role, uint32_t layer) {
    return &weights->table[(size_t)(roles[role].layer ? layer : 0) * MODEL_ROLES + role];
}

// ---- rows ----

// The row of the file in which row `row` of the decoder stands.
static uint64_t place_of(const struct model_weight *weight, uint64_t row) {
    if (!weight->paired_head) return row;
    uint64_t head = weight->paired_head, at = row % head;
    return row - at + (at < head / 2 ? 2 * at : 2 * (at - head / 2) + 1);
}

static bool has_rows(const struct model_weight *weight, uint64_t first, uint64_t rows) {
    return weight->tensor && first <= weight->rows && rows <= weight->rows - first;
}

// A vector of heads, in place.
static void unpair(const struct model_weight *weight, void *row, size_t each_bytes) {
    unsigned char kept[1024 * sizeof(float)], *bytes = row; // a head
    size_t head = weight->paired_head;
    for (size_t at = 0; at < weight->columns; at += head, bytes += head * each_bytes) {
        memcpy(kept, bytes, head * each_bytes);
        for (size_t i = 0; i < head; i++)
            memcpy(bytes + i * each_bytes, kept + place_of(weight, i) * each_bytes, each_bytes);
    }
}

bool model_weight_f32(const struct model_weight *weight, uint64_t first, uint64_t rows, float *out) {
    if (!has_rows(weight, first, rows)) return false;
    bool paired = weight->paired_head != 0, vector = weight->rows == 1;
    if (!paired || vector) {
        if (!model_rows_f32(weight->tensor, first, rows, out)) return false;
        if (paired && rows) unpair(weight, out, sizeof *out);
        return true;
    }
    for (uint64_t r = 0; r < rows; r++)
        if (!model_rows_f32(weight->tensor, place_of(weight, first + r), 1, out + r * weight->columns)) return false;
    return true;
}

bool model_weight_f16(const struct model_weight *weight, uint64_t first, uint64_t rows, uint16_t *out) {
    if (!has_rows(weight, first, rows)) return false;
    bool paired = weight->paired_head != 0, vector = weight->rows == 1;
    if (!paired || vector) {
        if (!model_rows_f16(weight->tensor, first, rows, out)) return false;
        if (paired && rows) unpair(weight, out, sizeof *out);
        return true;
    }
    for (uint64_t r = 0; r < rows; r++)
        if (!model_rows_f16(weight->tensor, place_of(weight, first + r), 1, out + r * weight->columns)) return false;
    return true;
}

bool model_weight_q8(const struct model_weight *weight, uint64_t first, uint64_t rows, int8_t *out,
                     uint16_t *out_scales) {
    if (!has_rows(weight, first, rows) || weight->rows == 1) return false;
    if (!weight->paired_head) return model_rows_q8(weight->tensor, first, rows, out, out_scales);
    for (uint64_t r = 0; r < rows; r++)
        if (!model_rows_q8(weight->tensor, place_of(weight, first + r), 1, out + r * weight->columns,
                           out_scales + r * (weight->columns / MODEL_BLOCK)))
            return false;
    return true;
}

bool model_weight_q4(const struct model_weight *weight, uint64_t first, uint64_t rows, uint32_t *out,
                     uint16_t *out_scales) {
    if (!has_rows(weight, first, rows) || weight->rows == 1) return false;
    if (!weight->paired_head) return model_rows_q4(weight->tensor, first, rows, out, out_scales);
    for (uint64_t r = 0; r < rows; r++)
        if (!model_rows_q4(weight->tensor, place_of(weight, first + r), 1, out + r * (weight->columns / MODEL_Q4_WORD),
                           out_scales + r * (weight->columns / MODEL_BLOCK)))
            return false;
    return true;
}
