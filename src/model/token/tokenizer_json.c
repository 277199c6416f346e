// tokenizer.json: tokens, merges, added tokens. Texts stay where the JSON parser left them; only bytes that the
// byte-level alphabet spells are written anew.
#include <string.h>

#include "model/file/json_checked.h"
#include "model/token/parts.h"

static uint32_t id_of(struct model_work *w, yyjson_val *value) {
    if (!yyjson_is_uint(value) || yyjson_get_uint(value) >= VOCAB_MOST)
        model_invalid(w, "a token's id is not an integer below %d", VOCAB_MOST);
    return (uint32_t)yyjson_get_uint(value);
}

static uint32_t count_ids(struct model_work *w, yyjson_val *vocab, yyjson_val *added) {
    uint32_t count = 0;
    yyjson_obj_iter iter = yyjson_obj_iter_with(vocab);
    for (yyjson_val *key; (key = yyjson_obj_iter_next(&iter));) {
        uint32_t id = id_of(w, yyjson_obj_iter_get_val(key));
        if (id >= count) count = id + 1;
    }
    yyjson_arr_iter list = yyjson_arr_iter_with(added);
    for (yyjson_val *one; (one = yyjson_arr_iter_next(&list));) {
        uint32_t id = id_of(w, model_json_get(one, "id"));
        if (id >= count) count = id + 1;
    }
    return count;
}

// ---- tokens ----

struct text {
    const char *data;
    uint32_t size_bytes;
};

// The bytes of a token as it is written in vocab and merges. False: it is no text in the byte-level alphabet.
static bool spell(const struct vocab *v, yyjson_val *value, char *room, struct text *out) {
    out->data = yyjson_get_str(value);
    out->size_bytes = (uint32_t)yyjson_get_len(value);
    if (!v->byte_level) return true;
    if (!vocab_bytes_of(out->data, out->size_bytes, room, &out->size_bytes)) return false;
    out->data = room;
    return true;
}

static void take_token(struct model_work *w, struct vocab *v, yyjson_val *key, uint32_t id, char **io_room) {
    struct vocab_token *t = &v->tokens[id];
    struct text text;
    if (t->kind != VOCAB_ABSENT) model_invalid(w, "two of its tokens have the id %u", id);
    t->kind = VOCAB_NORMAL;
    if (!spell(v, key, *io_room, &text)) { // only an added token is ever found by such a text
        t->text = yyjson_get_str(key);
        t->size_bytes = (uint32_t)yyjson_get_len(key);
        return;
    }
    t->text = text.data;
    t->size_bytes = text.size_bytes;
    if (text.data == *io_room) *io_room += text.size_bytes;
    if (t->size_bytes) vocab_index(v, id);
}

static void take_vocab(struct model_work *w, struct vocab *v, yyjson_val *vocab) {
    size_t bytes = 0;
    yyjson_obj_iter iter = yyjson_obj_iter_with(vocab);
    for (yyjson_val *key; v->byte_level && (key = yyjson_obj_iter_next(&iter));)
        bytes += yyjson_get_len(key);
    char *room = base_alloc(&w->cx, bytes);
    iter = yyjson_obj_iter_with(vocab);
    for (yyjson_val *key; (key = yyjson_obj_iter_next(&iter));)
        take_token(w, v, key, id_of(w, yyjson_obj_iter_get_val(key)), &room);
}

// Tokens that stand for a byte keep the name by which they are found; what they decode to is seen from it.
static void take_bytes(struct vocab *v) {
    static const char digits[] = "0123456789ABCDEF";
    char name[] = "<0x00>";
    for (int b = 0; b < 256; b++) {
        name[3] = digits[b / 16];
        name[4] = digits[b % 16];
        v->bytes[b] = vocab_find(v, name, 6);
        if (v->bytes[b] != VOCAB_NONE) v->tokens[v->bytes[b]].is_byte = true;
    }
}

// ---- merges ----

static uint32_t part_of(struct model_work *w, const struct vocab *v, yyjson_val *whole, struct text part) {
    uint32_t id = vocab_find(v, part.data, part.size_bytes);
    if (id == VOCAB_NONE)
        model_invalid(w, "the merge \"%.60s\" is of a token that is not in the vocabulary", yyjson_get_str(whole));
    return id;
}

// "left right" or ["left", "right"]; room: as many bytes as the longest has.
static void take_merge(struct model_work *w, struct vocab *v, yyjson_val *one, char *room) {
    yyjson_val *first = one, *second = one;
    struct text left, right;
    struct yyjson_val halves[2];
    if (yyjson_is_arr(one)) {
        first = yyjson_arr_get(one, 0);
        second = yyjson_arr_get(one, 1);
        if (yyjson_arr_size(one) != 2 || !yyjson_is_str(first) || !yyjson_is_str(second))
            model_invalid(w, "a merge is not of two texts");
    } else {
        const char *text = yyjson_get_str(one);
        const char *space = yyjson_is_str(one) ? memchr(text, ' ', yyjson_get_len(one)) : NULL;
        size_t size = yyjson_get_len(one), head = space ? (size_t)(space - text) : 0;
        if (!space || memchr(space + 1, ' ', size - head - 1)) model_invalid(w, "a merge is not of two texts");
        halves[0] = halves[1] = *one;
        yyjson_set_strn(&halves[0], text, head);
        yyjson_set_strn(&halves[1], space + 1, size - head - 1);
        first = &halves[0];
        second = &halves[1];
    }
    if (!spell(v, first, room, &left)) model_invalid(w, "a merge is of other than bytes");
    if (!spell(v, second, room + left.size_bytes, &right)) model_invalid(w, "a merge is of other than bytes");
    struct vocab_merge *m = &v->merges[v->merge_count];
    if (!v->byte_level) { // side by side, to be found as one
        memcpy(room, left.data, left.size_bytes);
        memcpy(room + left.size_bytes, right.data, right.size_bytes);
    }
    m->rank = v->merge_count++;
    m->left = part_of(w, v, first, left);
    m->right = part_of(w, v, second, right);
    m->result = part_of(w, v, first, (struct text){room, left.size_bytes + right.size_bytes});
}

static void take_merges(struct model_work *w, struct vocab *v, yyjson_val *merges) {
    size_t most = 0, count = yyjson_arr_size(merges);
    if (!yyjson_is_arr(merges)) model_invalid(w, "its model has no list \"merges\"");
    if (count > VOCAB_MOST) model_refuse(w, WHORL_LIMIT, "it has more than %d merges", VOCAB_MOST);
    yyjson_arr_iter iter = yyjson_arr_iter_with(merges);
    for (yyjson_val *one; (one = yyjson_arr_iter_next(&iter));) {
        size_t size = yyjson_is_arr(one)
                          ? yyjson_get_len(yyjson_arr_get(one, 0)) + yyjson_get_len(yyjson_arr_get(one, 1))
                          : yyjson_get_len(one);
        if (size > most) most = size;
    }
    char *room = base_alloc(&w->cx, most);
    v->merges = base_alloc_array(&w->cx, count, sizeof *v->merges);
    iter = yyjson_arr_iter_with(merges);
    for (yyjson_val *one; (one = yyjson_arr_iter_next(&iter));)
        take_merge(w, v, one, room);
    vocab_sort_merges(w, v);
}

// ---- the model, added tokens ----

static void refuse_affix(struct model_work *w, yyjson_val *model, const char *key) {
    yyjson_val *value = model_json_get(model, key);
    if (value && yyjson_get_len(value))
        model_refuse(w, WHORL_UNSUPPORTED, "\"%s\" is set, which whorl does not have", key);
}

static yyjson_val *check_model(struct model_work *w, yyjson_val *root) {
    yyjson_val *model = model_json_get(root, "model"), *type = model_json_get(model, "type");
    if (!yyjson_is_obj(model)) model_invalid(w, "it is no tokenizer.json: it has no object \"model\"");
    if (type && !yyjson_equals_str(type, "BPE"))
        model_refuse(w, WHORL_UNSUPPORTED, "its model is of the kind \"%.40s\"; whorl has BPE",
                     model_json_text(w, type, "\"type\""));
    refuse_affix(w, model, "continuing_subword_prefix");
    refuse_affix(w, model, "end_of_word_suffix");
    if (model_json_real(w, model, "dropout", 0) != 0)
        model_refuse(w, WHORL_UNSUPPORTED, "its model drops merges at random");
    if (!yyjson_is_obj(model_json_get(model, "vocab"))) model_invalid(w, "its model has no object \"vocab\"");
    return model;
}

static void take_added(struct model_work *w, struct model_tokenizer *t, yyjson_val *one) {
    yyjson_val *content = model_json_get(one, "content");
    if (!yyjson_is_str(content)) model_invalid(w, "an added token has no \"content\"");
    struct added_token added = {.text = yyjson_get_str(content),
                                .size_bytes = (uint32_t)yyjson_get_len(content),
                                .id = id_of(w, model_json_get(one, "id")),
                                .single_word = model_json_bool(w, one, "single_word", false),
                                .strip_left = model_json_bool(w, one, "lstrip", false),
                                .strip_right = model_json_bool(w, one, "rstrip", false)};
    struct vocab_token *token = &t->vocab.tokens[added.id];
    if (token->kind >= VOCAB_ADDED) model_invalid(w, "two of its added tokens have the id %u", added.id);
    token->kind = model_json_bool(w, one, "special", false) ? VOCAB_SPECIAL : VOCAB_ADDED;
    token->is_byte = false;
    token->text = added.text;
    token->size_bytes = added.size_bytes;
    if (!model_json_bool(w, one, "normalized", false)) {
        added_add(w, &t->raw, &added);
        return;
    }
    struct unicode_text normal = split_normalise(w, &t->steps, (struct unicode_text){added.text, added.size_bytes});
    added.text = normal.text;
    added.size_bytes = (uint32_t)normal.size_bytes;
    added_add(w, &t->normalised, &added);
}

void tokenizer_take_json(struct model_work *w, struct model_tokenizer *t, yyjson_val *root) {
    yyjson_val *model = check_model(w, root), *vocab = model_json_get(model, "vocab");
    yyjson_val *added = model_json_get(root, "added_tokens"), *unknown = model_json_get(model, "unk_token");
    vocab_init(w, &t->vocab, count_ids(w, vocab, added));
    tokenizer_take_steps(w, t, root);
    take_vocab(w, &t->vocab, vocab);
    t->vocab.byte_fallback = model_json_bool(w, model, "byte_fallback", false);
    t->vocab.fuse_unknown = model_json_bool(w, model, "fuse_unk", false);
    t->vocab.ignore_merges = model_json_bool(w, model, "ignore_merges", false);
    if (t->vocab.byte_fallback) take_bytes(&t->vocab);
    if (unknown) {
        const char *name = model_json_text(w, unknown, "\"unk_token\"");
        t->vocab.unknown = vocab_find(&t->vocab, name, strlen(name));
        if (t->vocab.unknown == VOCAB_NONE) model_invalid(w, "its \"unk_token\" is not in the vocabulary");
    }
    take_merges(w, &t->vocab, model_json_get(model, "merges"));
    yyjson_arr_iter iter = yyjson_arr_iter_with(added);
    for (yyjson_val *one; (one = yyjson_arr_iter_next(&iter));)
        take_added(w, t, one);
}
