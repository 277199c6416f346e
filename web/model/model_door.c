// What a page calls to read a model: its files' beginnings in, a description of its weights out; rows converted piece
// by piece; text to tokens and back; conversations to prompts. As in web/compiler/door.c a call that is refused traps,
// `answer` says why, and the instance is done with.
#include <stddef.h>
#include <string.h>

#include "model/chat/template.h"
#include "model/token/tokenizer.h"
#include "model/weights/weights.h"
#include "web.h"

#define NO_ROLE MODEL_ROLES
enum { MOST_PARTS = 1 << 16 };

static struct model_file *file;
static struct model_config config;
static struct model_weights weights;
static struct model_tokenizer *tokenizer;
static struct model_chat chat;
static struct whorl_error error;
static const struct model_weight **parts;
static uint32_t part_count;
static struct model_tokens tokens;
static char *text;

_Noreturn void web_leave(const jmp_buf place) {
    const struct base_cx *cx = (const struct base_cx *)((const char *)place - offsetof(struct base_cx, bail));
    const struct model_work *w = (const struct model_work *)((const char *)cx - offsetof(struct model_work, cx));
    if (!w->told)
        base_set_error(&error, cx->status, "model", "%s: %s", w->name,
                       cx->status == WHORL_LIMIT ? "reading it would take more memory than such a file may need"
                                                 : "out of memory");
    web_answer_error(&error);
    __builtin_trap();
}

static bool done(enum whorl_status status) {
    if (status != WHORL_OK) web_answer_error(&error);
    return status == WHORL_OK;
}

static void begin(void) {
    web_answer_begin();
    web_answer_put("{");
    web_answer_key("status");
    web_answer_string("WHORL_OK");
}

static void number(const char *key, double value) {
    web_answer_key(key);
    web_answer_number(value);
}

static void flag(const char *key, bool value) {
    web_answer_key(key);
    web_answer_put(value ? "true" : "false");
}

// ---- memory and files -----------------------------------------------------------------------------------------------

WEB_EXPORT(alloc) void *web_alloc(size_t size_bytes) { return base_heap_alloc(size_bytes); }
WEB_EXPORT(release) void web_release(void *memory) { base_heap_free(memory); }
WEB_EXPORT(answer) const char *web_answer(void) { return web_answer_text(); }

// path, data: from `alloc`, and kept. whole_bytes: of the file, of which `data` may be the beginning.
WEB_EXPORT(file) bool web_file(char *path, char *data, size_t size_bytes, double whole_bytes) {
    return web_files_add(path, data, size_bytes, whole_bytes < 4294967295.0 ? (size_t)whole_bytes : UINT32_MAX);
}

// ---- the model's files ----------------------------------------------------------------------------------------------

static bool is_there(const struct model_tensor *t) {
    const struct model_map *map = &file->maps[t->file];
    return (size_t)(t->data - map->data) + t->size_bytes <= map->there_bytes;
}

static void answer_place(const struct model_tensor *t) {
    number("file", t->file);
    number("offset", (double)(size_t)(t->data - file->maps[t->file].data));
    number("bytes", (double)t->size_bytes);
}

// Opens the files at `path`. The answer's `need` is a tensor that `weights` has to be given: {file, offset, bytes}, or
// null.
WEB_EXPORT(open) bool web_open(const char *path) {
    enum whorl_status status = model_file_open(path, &file, &error);
    if (status == WHORL_OK) status = model_config_read(path, file, &config, &error);
    if (status != WHORL_OK) return done(status);
    const struct model_tensor *rope = model_tensors_find(&file->tensors, "rope_freqs.weight");
    begin();
    web_answer_key("need");
    if (rope && config.rope.kind == MODEL_ROPE_FACTORS && !is_there(rope)) {
        web_answer_put("{");
        answer_place(rope);
        web_answer_put("}");
    } else {
        web_answer_put("null");
    }
    web_answer_put("}");
    return true;
}

// ---- weights --------------------------------------------------------------------------------------------------------

static const struct {
    const char *name;
    enum model_role roles[3];
} parameters[] = {
#define X(name, first, second, third, may_lack) {#name, {first, second, third}},
#include "decode/parameter.def"
#undef X
};

static bool is_outside_of_layers(enum model_role role) {
    return role == MODEL_EMBED || role == MODEL_FINAL_NORM || role == MODEL_HEAD;
}

static void answer_part(const struct model_weight *w) {
    parts[part_count++] = w;
    web_answer_put("{");
    answer_place(w->tensor);
    number("rows", (double)w->rows);
    number("columns", (double)w->columns);
    number("together", w->paired_head && w->rows > 1 ? w->paired_head : 1);
    web_answer_key("type");
    web_answer_string(model_element_info(w->tensor->type)->name);
    web_answer_put("}");
}

// The parts of one parameter, in the order of its array; none: this model does not have it.
static void answer_parameter(size_t at) {
    const enum model_role *roles = parameters[at].roles;
    bool first = true;
    web_answer_key(parameters[at].name);
    web_answer_put("[");
    for (uint32_t l = 0; l < (is_outside_of_layers(roles[0]) ? 1 : config.layers); l++)
        for (int k = 0; k < 3 && roles[k] != NO_ROLE; k++) {
            const struct model_weight *w = model_weight_of(&weights, roles[k], l);
            bool is_second_name = roles[k] == MODEL_HEAD && config.tied;
            if (!w->tensor || is_second_name || part_count == MOST_PARTS) continue;
            if (!first) web_answer_put(",");
            first = false;
            answer_part(w);
        }
    web_answer_put("]");
}

static void answer_config(void) {
    const struct model_config *c = &config;
    web_answer_key("family");
    web_answer_string(model_family_name(c->family));
    const struct {
        const char *name;
        double value;
    } sizes[] = {
        {"layers", c->layers}, {"d", c->hidden},        {"heads", c->heads},
        {"kv", c->kv_heads},   {"hd", c->head_size},    {"ffn", c->intermediate},
        {"vocab", c->vocab},   {"context", c->context}, {"eps", c->rms_eps},
    };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        number(sizes[i].name, sizes[i].value);
    flag("tied", c->tied);
    flag("qkNorm", c->qk_norm);
    web_answer_key("stops");
    web_answer_put("[");
    for (uint32_t i = 0; i < c->eos_count; i++) {
        if (i) web_answer_put(",");
        web_answer_number(c->eos[i]);
    }
    web_answer_put("]");
}

// Whether all matrices have 8 bits already, and whether they can.
static void answer_forms(void) {
    bool is_q8 = true, can_be = true;
    for (uint32_t i = 0; i < part_count; i++) {
        const struct model_weight *w = parts[i];
        is_q8 &= w->rows == 1 || w->tensor->type == MODEL_Q8_0;
        can_be &= w->rows == 1 || w->columns % MODEL_BLOCK == 0;
    }
    flag("isQ8", is_q8);
    flag("canBeQ8", can_be);
}

// rope: the tensor of `need`, kept; NULL where none was needed. The answer: sizes, and `arrays`, by parameter of
// programs/models/transformer.c a list of parts: {file, offset, bytes, rows, columns, together, type}; rows are
// converted in multiples of `together`. Parts are counted through all lists.
WEB_EXPORT(weights) bool web_weights(const unsigned char *rope, size_t rope_bytes) {
    if (!file) return done(base_set_error(&error, WHORL_INVALID, "call", "no model is open"));
    for (uint32_t i = 0; i < file->tensors.count && rope; i++) {
        struct model_tensor *t = &file->tensors.items[i];
        if (strcmp(t->name, "rope_freqs.weight") == 0 && t->size_bytes == rope_bytes) t->data = rope;
    }
    enum whorl_status status = model_weights_open(file, &config, &weights, &error);
    if (status == WHORL_OK && (config.o_bias || config.mlp_bias))
        status = base_set_error(&error, WHORL_UNSUPPORTED, "data",
                                "this model has biases in its attention's output or its feed-forward part, which the "
                                "decoder does not add yet");
    if (status != WHORL_OK) return done(status);
    parts = base_heap_alloc(MOST_PARTS * sizeof *parts);
    if (!parts) return done(base_set_error(&error, WHORL_MEMORY, "data", "out of memory"));
    begin();
    answer_config();
    web_answer_key("arrays");
    web_answer_put("{");
    for (size_t at = 0; at < sizeof parameters / sizeof *parameters; at++)
        answer_parameter(at);
    web_answer_put("}");
    answer_forms();
    web_answer_put("}");
    return true;
}

WEB_EXPORT(rope) const float *web_rope(void) { return weights.rope; } // [hd / 2] frequencies

// Rows of a part, as f32 (a vector), f16, or 8 bits where out_scales is not NULL; `data` are these rows as they stand
// in the file. False: there are no such rows, or `data` has another size.
WEB_EXPORT(convert)
bool web_convert(uint32_t part, uint32_t rows, const unsigned char *data, size_t data_bytes, void *out,
                 uint16_t *out_scales) {
    if (part >= part_count) return false;
    struct model_weight w = *parts[part];
    struct model_tensor t = *w.tensor;
    if (rows > w.rows || (w.paired_head && w.rows > 1 && rows % w.paired_head)) return false;
    t.data = data;
    if (t.ndims == 2) t.dims[0] = rows;
    if (model_tensor_measure(&t) || t.size_bytes != data_bytes) return false;
    w.tensor = &t;
    if (w.rows == 1) return model_weight_f32(&w, 0, 1, out);
    return out_scales ? model_weight_q8(&w, 0, rows, out, out_scales) : model_weight_f16(&w, 0, rows, out);
}

// ---- words ----------------------------------------------------------------------------------------------------------

// The tokenizer of the folder or of the open GGUF file; with_chat: its template, too, where it has one. The answer:
// count of ids, `hasTemplate`, and the texts `bos` and `eos`, which templates print.
WEB_EXPORT(words) bool web_words(const char *path, bool with_chat) {
    enum whorl_status status = model_tokenizer_open(path, file, &tokenizer, &error);
    if (status == WHORL_OK && with_chat) status = model_chat_open(path, file, &chat, &error);
    if (status != WHORL_OK) return done(status);
    begin();
    number("count", model_tokenizer_count(tokenizer));
    flag("hasTemplate", chat.template != NULL);
    web_answer_key("bos");
    web_answer_string(chat.bos);
    web_answer_key("eos");
    web_answer_string(chat.eos);
    web_answer_put("}");
    return true;
}

// The tokens stand at `ids` afterwards, as many as `id_count` says.
WEB_EXPORT(encode) bool web_encode(const char *data, size_t size_bytes, bool special) {
    if (!tokenizer) return done(base_set_error(&error, WHORL_INVALID, "call", "no tokenizer is open"));
    model_tokens_free(&tokens);
    return done(model_encode(tokenizer, data, size_bytes, special, &tokens, &error));
}
WEB_EXPORT(ids) const uint32_t *web_ids(void) { return tokens.ids; }
WEB_EXPORT(id_count) size_t web_id_count(void) { return tokens.count; }
// UINT32_MAX: no token has exactly this text.
WEB_EXPORT(id_of) uint32_t web_id_of(const char *token) {
    return tokenizer ? model_token_id(tokenizer, token) : UINT32_MAX;
}

// A text that is made of tokens, freed by `release`; NULL: out of memory. Its memory is followed by room for a piece.
WEB_EXPORT(stream) struct model_detokenizer *web_stream(bool keep_special) {
    if (!tokenizer) return NULL;
    struct model_detokenizer *d = base_heap_alloc(sizeof *d + model_detokenize_room(tokenizer) + 16);
    if (d) *d = (struct model_detokenizer){.keep_special = keep_special};
    return d;
}
WEB_EXPORT(piece_at) char *web_piece_at(struct model_detokenizer *d) { return (char *)(d + 1); }
// Bytes of UTF-8 at `piece_at`: what this token adds; last: what is left at the end.
WEB_EXPORT(piece) size_t web_piece(struct model_detokenizer *d, uint32_t id) {
    return model_detokenize(tokenizer, d, id, web_piece_at(d));
}
WEB_EXPORT(last) size_t web_last(struct model_detokenizer *d) { return model_detokenize_end(d, web_piece_at(d)); }
// What the token would add, were it the last; the text stays as it is.
WEB_EXPORT(peek) size_t web_peek(struct model_detokenizer *d, uint32_t id) {
    struct model_detokenizer at = *d;
    char *to = web_piece_at(d);
    size_t size = model_detokenize(tokenizer, &at, id, to);
    return size + model_detokenize_end(&at, to + size);
}

// The prompt that the template makes of a JSON object with "messages"; NULL: refused, and `answer` says why.
WEB_EXPORT(chat) const char *web_chat(const char *json, size_t json_bytes, double now_s) {
    size_t text_bytes;
    if (!chat.template) {
        done(base_set_error(&error, WHORL_UNSUPPORTED, "data",
                            "this model has no chat template, so it was not made for conversations: give it a text to "
                            "continue"));
        return NULL;
    }
    base_heap_free(text);
    text = NULL;
    enum whorl_status status =
        model_template_render(chat.template, json, json_bytes, (int64_t)now_s, &text, &text_bytes, &error);
    return done(status) ? text : NULL;
}
