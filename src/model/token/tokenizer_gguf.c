// The tokenizer in GGUF's metadata. "gpt2" is byte-level BPE with merges; which split the model was trained with is a
// name ("pre"). "llama" is SentencePiece's BPE: tokens with scores, and of all neighbours that make a token the one
// with the best score is joined first. That is a list of merges, too, so it is made here.
#include <stdlib.h>
#include <string.h>

#include "model/token/parts.h"

enum { TYPE_NORMAL = 1, TYPE_UNKNOWN, TYPE_CONTROL, TYPE_USER, TYPE_UNUSED, TYPE_BYTE };

struct arrays {
    const struct gguf_value *tokens, *types, *scores, *merges;
};

static struct arrays find_arrays(struct model_work *w, const struct gguf *g) {
    struct arrays a = {
        gguf_array(w, g, "tokenizer.ggml.tokens", GGUF_STRING), gguf_array(w, g, "tokenizer.ggml.token_type", GGUF_I32),
        gguf_array(w, g, "tokenizer.ggml.scores", GGUF_F32), gguf_array(w, g, "tokenizer.ggml.merges", GGUF_STRING)};
    if (!a.tokens) model_invalid(w, "it has no \"tokenizer.ggml.tokens\"");
    if ((a.types && a.types->count != a.tokens->count) || (a.scores && a.scores->count != a.tokens->count))
        model_invalid(w, "its tokens, their types and their scores are not equally many");
    if (a.tokens->count > VOCAB_MOST || (a.merges && a.merges->count > VOCAB_MOST))
        model_refuse(w, WHORL_LIMIT, "it has more than %d tokens or merges", VOCAB_MOST);
    return a;
}

// ---- tokens ----

static void add_token(struct model_work *w, struct model_tokenizer *t, uint32_t id, struct gguf_string text,
                      uint32_t type) {
    struct vocab_token *token = &t->vocab.tokens[id];
    token->text = text.text;
    token->size_bytes = (uint32_t)text.size_bytes;
    token->kind = type == TYPE_CONTROL || type == TYPE_UNKNOWN ? VOCAB_SPECIAL
                  : type == TYPE_USER                          ? VOCAB_ADDED
                                                               : VOCAB_NORMAL;
    if (type == TYPE_CONTROL || type == TYPE_USER || type == TYPE_UNKNOWN)
        added_add(w, &t->raw, &(struct added_token){.text = text.text, .size_bytes = token->size_bytes, .id = id});
    if (type == TYPE_BYTE) {
        int byte = vocab_byte_of(text.text, text.size_bytes);
        if (byte < 0) model_invalid(w, "the token %u should be a byte but is not written as one", id);
        t->vocab.bytes[byte] = id;
        token->is_byte = true;
    }
    if (type == TYPE_UNKNOWN) t->vocab.unknown = id;
}

// room: for the bytes of all tokens
static void take_tokens(struct model_work *w, struct model_tokenizer *t, const struct arrays *a) {
    const unsigned char *at = a->tokens->data;
    size_t bytes = 0;
    for (uint32_t id = 0; id < t->vocab.count; id++) {
        struct gguf_string text = gguf_string_at(at);
        if (text.size_bytes > UINT16_MAX || unicode_check(text.text, text.size_bytes) != text.size_bytes)
            model_invalid(w, "the token %u is not UTF-8, or too long", id);
        bytes += text.size_bytes;
        at = text.next;
    }
    char *room = t->vocab.byte_level ? base_alloc(&w->cx, bytes) : NULL;
    at = a->tokens->data;
    for (uint32_t id = 0; id < t->vocab.count; id++) {
        struct gguf_string text = gguf_string_at(at);
        struct vocab_token *token = &t->vocab.tokens[id];
        at = text.next;
        add_token(w, t, id, text, a->types ? gguf_u32_at(a->types->data + 4 * (size_t)id) : TYPE_NORMAL);
        bool spelled = token->kind == VOCAB_NORMAL && t->vocab.byte_level &&
                       vocab_bytes_of(text.text, text.size_bytes, room, &token->size_bytes);
        if (spelled) {
            token->text = room;
            room += token->size_bytes;
        }
        if (token->size_bytes && token->kind == VOCAB_NORMAL && spelled == t->vocab.byte_level)
            vocab_index(&t->vocab, id);
    }
}

// ---- byte-level ----

static const char llama3_pattern[] = "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}|"
                                     " ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
static const char qwen2_pattern[] = "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}|"
                                    " ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";

static void take_pre(struct model_work *w, struct model_tokenizer *t, const struct gguf *g) {
    const char *pre = gguf_text(w, g, "tokenizer.ggml.pre");
    if (!pre)
        model_refuse(w, WHORL_UNSUPPORTED,
                     "it does not say how its text is split (\"tokenizer.ggml.pre\"); "
                     "convert the model again");
    if (strcmp(pre, "llama-bpe") == 0 || strcmp(pre, "llama3") == 0 || strcmp(pre, "llama-v3") == 0) {
        tokenizer_add_split(w, t, llama3_pattern);
        t->vocab.ignore_merges = true;
    } else if (strcmp(pre, "qwen2") == 0) {
        tokenizer_add_normal(w, t, &(struct normal_step){.kind = NORMAL_FORM, .form = UNICODE_NFC});
        tokenizer_add_split(w, t, qwen2_pattern);
    } else if (strcmp(pre, "smollm") == 0) {
        tokenizer_add_split(w, t, "\\p{N}");
        tokenizer_add_split(w, t, tokenizer_gpt2_pattern);
    } else if (strcmp(pre, "gpt-2") == 0) {
        tokenizer_add_split(w, t, tokenizer_gpt2_pattern);
    } else {
        model_refuse(w, WHORL_UNSUPPORTED, "its text is split as \"%.60s\"; whorl has llama-bpe, qwen2, smollm, gpt-2",
                     pre);
    }
}

static uint32_t find_spelled(struct model_work *w, const struct vocab *v, const char *text, size_t size_bytes,
                             char *room) {
    uint32_t size;
    uint32_t id = vocab_bytes_of(text, size_bytes, room, &size) ? vocab_find(v, room, size) : VOCAB_NONE;
    if (id == VOCAB_NONE) model_invalid(w, "a merge is of a token that is not in the vocabulary");
    return id;
}

static void take_merges(struct model_work *w, struct vocab *v, const struct gguf_value *merges) {
    const unsigned char *at = merges ? merges->data : NULL;
    char room[2 * UINT16_MAX];
    if (!merges) model_invalid(w, "it has no \"tokenizer.ggml.merges\"");
    v->merges = base_alloc_array(&w->cx, (size_t)merges->count, sizeof *v->merges);
    for (uint64_t i = 0; i < merges->count; i++) {
        struct gguf_string s = gguf_string_at(at);
        const char *space = s.size_bytes ? memchr(s.text, ' ', s.size_bytes) : NULL;
        size_t left = space ? (size_t)(space - s.text) : 0, right = space ? s.size_bytes - left - 1 : 0;
        if (!left || !right || s.size_bytes > UINT16_MAX || unicode_check(s.text, s.size_bytes) != s.size_bytes)
            model_invalid(w, "a merge is not of two texts");
        struct vocab_merge *m = &v->merges[v->merge_count];
        m->rank = v->merge_count++;
        m->left = find_spelled(w, v, s.text, left, room);
        m->right = find_spelled(w, v, space + 1, right, room);
        uint32_t sizes[2] = {v->tokens[m->left].size_bytes, v->tokens[m->right].size_bytes};
        memcpy(room, v->tokens[m->left].text, sizes[0]);
        memcpy(room + sizes[0], v->tokens[m->right].text, sizes[1]);
        m->result = vocab_find(v, room, (size_t)sizes[0] + sizes[1]);
        if (m->result == VOCAB_NONE) model_invalid(w, "a merge makes a token that is not in the vocabulary");
        at = s.next;
    }
    vocab_sort_merges(w, v);
}

// ---- SentencePiece ----

struct scored {
    float score;
    uint32_t id, rank;
};

static int compare_scores(const void *a, const void *b) {
    const struct scored *x = a, *y = b;
    if (x->score != y->score) return x->score > y->score ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

static bool is_joined(const struct vocab_token *t) { return t->kind == VOCAB_NORMAL && !t->is_byte; }

// Work is bounded by the squares of the tokens' lengths; those of real models sum up to some millions.
static void check_lengths(struct model_work *w, const struct vocab *v) {
    uint64_t work = 0;
    for (uint32_t id = 0; id < v->count; id++)
        work += (uint64_t)v->tokens[id].size_bytes * v->tokens[id].size_bytes;
    if (work > 200000000) model_refuse(w, WHORL_LIMIT, "the tokens of its vocabulary are too long");
}

static void add_splits(struct model_work *w, struct vocab *v, uint32_t *io_cap, uint32_t id, uint32_t rank) {
    const struct vocab_token *t = &v->tokens[id];
    for (size_t at = 0; at < t->size_bytes;) {
        (void)unicode_next(t->text, &at);
        if (at >= t->size_bytes) return;
        uint32_t left = vocab_find(v, t->text, at), right = vocab_find(v, t->text + at, t->size_bytes - at);
        if (left == VOCAB_NONE || right == VOCAB_NONE) continue;
        if (v->merge_count == VOCAB_MOST) model_refuse(w, WHORL_LIMIT, "it has more than %d merges", VOCAB_MOST);
        BASE_RESERVE(&w->cx, v->merges, v->merge_count, *io_cap);
        v->merges[v->merge_count++] = (struct vocab_merge){left, right, rank, id};
    }
}

static void make_merges(struct model_work *w, struct vocab *v, const struct gguf_value *scores) {
    uint32_t cap = 0, rank = 0;
    if (!scores) model_invalid(w, "it has no \"tokenizer.ggml.scores\"");
    check_lengths(w, v);
    struct scored *order = base_alloc_array(&w->cx, v->count, sizeof *order);
    for (uint32_t id = 0; id < v->count; id++) {
        order[id] = (struct scored){gguf_f32_at(scores->data + 4 * (size_t)id), id, 0};
        if (order[id].score != order[id].score) model_invalid(w, "the score of the token %u is no number", id);
    }
    if (v->count) qsort(order, v->count, sizeof *order, compare_scores);
    for (uint32_t i = 0; i < v->count; i++) {
        rank += i && order[i].score != order[i - 1].score; // equal ones: the leftmost goes first
        if (is_joined(&v->tokens[order[i].id])) add_splits(w, v, &cap, order[i].id, rank);
    }
    vocab_sort_merges(w, v);
}

static void take_spaces(struct model_work *w, struct model_tokenizer *t, const struct gguf *g) {
    struct normal_step space = {.kind = NORMAL_REPLACE, .text = "\xe2\x96\x81", .size_bytes = 3};
    struct normal_step prefix = {.kind = NORMAL_PREPEND, .text = " ", .size_bytes = 1};
    t->metaspaces = true;
    t->strip_first = gguf_bool(w, g, "tokenizer.ggml.add_space_prefix", true);
    if (t->strip_first) tokenizer_add_normal(w, t, &prefix);
    space.pattern = pattern_make_literal(w, " ", 1);
    tokenizer_add_normal(w, t, &space);
}

// ---- both ----

static void take_around(struct model_work *w, struct model_tokenizer *t, const struct gguf *g, bool bos_by_default) {
    if (gguf_bool(w, g, "tokenizer.ggml.add_bos_token", bos_by_default))
        t->before[t->before_count++] = (uint32_t)gguf_uint(w, g, "tokenizer.ggml.bos_token_id", UINT32_MAX, 1);
    if (gguf_bool(w, g, "tokenizer.ggml.add_eos_token", false))
        t->after[t->after_count++] = (uint32_t)gguf_uint(w, g, "tokenizer.ggml.eos_token_id", UINT32_MAX, 2);
    if ((t->before_count && t->before[0] >= t->vocab.count) || (t->after_count && t->after[0] >= t->vocab.count))
        model_invalid(w, "it puts a token around texts that is not in the vocabulary");
}

void tokenizer_take_gguf(struct model_work *w, struct model_tokenizer *t, const struct gguf *g) {
    const char *model = gguf_text(w, g, "tokenizer.ggml.model");
    if (!model) model_invalid(w, "it has no tokenizer (\"tokenizer.ggml.model\")");
    bool bytes = strcmp(model, "gpt2") == 0, sentences = strcmp(model, "llama") == 0;
    if (!bytes && !sentences)
        model_refuse(w, WHORL_UNSUPPORTED, "its tokenizer is of the kind \"%.60s\"; whorl has gpt2 and llama", model);
    struct arrays a = find_arrays(w, g);
    vocab_init(w, &t->vocab, (uint32_t)a.tokens->count);
    t->vocab.byte_level = bytes;
    t->vocab.byte_fallback = t->vocab.fuse_unknown = sentences;
    take_tokens(w, t, &a);
    if (bytes) {
        take_pre(w, t, g);
        take_merges(w, &t->vocab, a.merges);
    } else {
        make_merges(w, &t->vocab, a.scores);
        take_spaces(w, t, g);
    }
    bool llama3 = bytes && t->vocab.ignore_merges;
    take_around(w, t, g, sentences || llama3);
}
