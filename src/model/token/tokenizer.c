// A tokenizer's life, and encoding: added tokens are cut out of the text, what is between them is normalised and split,
// and each piece is merged.
#include "model/token/tokenizer.h"

#include <string.h>
#include <sys/stat.h>

#include "model/file/json_checked.h"
#include "model/token/parts.h"

struct opening {
    struct model_tokenizer *t;
    const char *path, *text;
    size_t size_bytes;
    const struct model_file *file;
};

static void finish(struct model_tokenizer *t) {
    size_t most = 1;
    added_sort(&t->raw);
    added_sort(&t->normalised);
    for (uint32_t id = 0; id < t->vocab.count; id++)
        if (t->vocab.tokens[id].size_bytes > most) most = t->vocab.tokens[id].size_bytes;
    t->room_bytes = 3 * (most + 4);
}

static void open_tokenizer(struct model_work *w, void *arg) {
    struct opening *o = arg;
    struct stat info;
    if (o->file && o->file->gguf.version) {
        tokenizer_take_gguf(w, o->t, &o->file->gguf);
    } else if (o->text) {
        char *own = base_alloc(&w->cx, o->size_bytes + YYJSON_PADDING_SIZE);
        if (o->size_bytes) memcpy(own, o->text, o->size_bytes);
        tokenizer_take_json(w, o->t, model_json_parse_own(w, own, o->size_bytes));
    } else {
        bool folder = stat(o->path, &info) == 0 && S_ISDIR(info.st_mode);
        const char *slash = strrchr(o->path, '/');
        int before = slash ? (int)(slash - o->path) + 1 : 0;
        if (o->file && !folder) // the path is that of the weights
            w->name = base_format(&w->cx, "%.*stokenizer.json", before, o->path);
        else
            w->name = base_format(&w->cx, folder ? "%s/tokenizer.json" : "%s", o->path);
        tokenizer_take_json(w, o->t, model_json_read(w, w->name, NULL));
    }
    model_json_drop(w); // texts stay: they are memory of the arena
    finish(o->t);
}

static enum whorl_status open_with(struct opening *o, struct model_tokenizer **out, struct whorl_error *err) {
    *out = NULL;
    o->t = base_heap_alloc(sizeof *o->t);
    if (!o->t) return base_set_error(err, WHORL_MEMORY, "model", "out of memory");
    memset(o->t, 0, sizeof *o->t);
    model_work_init(&o->t->work, o->path ? o->path : "tokenizer.json");
    enum whorl_status status = model_work_run(&o->t->work, err, open_tokenizer, o);
    o->t->work.name = "text";
    if (status == WHORL_OK)
        *out = o->t;
    else
        model_tokenizer_close(o->t);
    return status;
}

enum whorl_status model_tokenizer_open(const char *path, const struct model_file *file, struct model_tokenizer **out,
                                       struct whorl_error *err) {
    struct opening o = {.path = path, .file = file};
    return open_with(&o, out, err);
}

enum whorl_status model_tokenizer_of_json(const char *text, size_t size_bytes, struct model_tokenizer **out,
                                          struct whorl_error *err) {
    struct opening o = {.text = text, .size_bytes = size_bytes};
    return open_with(&o, out, err);
}

void model_tokenizer_close(struct model_tokenizer *t) {
    if (!t) return;
    split_steps_free(&t->steps);
    model_work_deinit(&t->work);
    base_heap_free(t);
}

uint32_t model_tokenizer_count(const struct model_tokenizer *t) { return t->vocab.count; }

uint32_t model_token_id(const struct model_tokenizer *t, const char *text) {
    const struct added_tokens *lists[] = {&t->raw, &t->normalised};
    size_t size = strlen(text);
    for (size_t l = 0; l < 2; l++)
        for (uint32_t i = 0; i < lists[l]->count; i++)
            if (lists[l]->items[i].size_bytes == size && memcmp(lists[l]->items[i].text, text, size) == 0)
                return lists[l]->items[i].id;
    return vocab_find(&t->vocab, text, size);
}

// ---- encoding ----

struct encoding {
    const struct model_tokenizer *t;
    const char *text;
    size_t size_bytes;
    bool special;
    struct model_tokens *out;
    struct vocab_ids ids;
};

static void add_id(struct model_work *w, struct encoding *e, uint32_t id) {
    BASE_RESERVE(&w->cx, e->ids.ids, e->ids.count, e->ids.cap);
    e->ids.ids[e->ids.count++] = id;
}

static struct unicode_text part_of(struct unicode_text text, size_t begin, size_t end) {
    return (struct unicode_text){text.text + begin, end - begin};
}

static void encode_plain(struct model_work *w, struct encoding *e, struct unicode_text text, bool begins) {
    struct split_pieces pieces;
    if (text.size_bytes == 0) return;
    split_text(w, &e->t->steps, text, begins, &pieces);
    for (uint32_t i = 0; i < pieces.count; i++)
        vocab_encode(w, &e->t->vocab, pieces.text.text + pieces.items[i].at, pieces.items[i].size_bytes, &e->ids);
}

// Text between the tokens that are found in it as it is.
static void encode_between(struct model_work *w, struct encoding *e, struct unicode_text raw, bool begins) {
    struct unicode_text text = split_normalise(w, &e->t->steps, raw);
    struct added_match m;
    size_t from = 0;
    while (added_next(&e->t->normalised, text, from, &m)) {
        encode_plain(w, e, part_of(text, from, m.begin), begins && from == 0);
        add_id(w, e, m.id);
        from = m.end;
    }
    encode_plain(w, e, part_of(text, from, text.size_bytes), begins && from == 0);
}

static void encode_text(struct model_work *w, void *arg) {
    struct encoding *e = arg;
    struct unicode_text text = {e->text, e->size_bytes};
    struct added_match m;
    size_t from = 0, wrong = unicode_check(e->text, e->size_bytes);
    if (e->size_bytes > MODEL_MAX_TEXT_BYTES)
        model_refuse(w, WHORL_LIMIT, "it has more than %d MiB", MODEL_MAX_TEXT_BYTES >> 20);
    if (wrong != e->size_bytes) model_invalid(w, "it is not UTF-8: byte %zu is wrong", wrong);
    for (uint32_t i = 0; e->special && i < e->t->before_count; i++)
        add_id(w, e, e->t->before[i]);
    while (added_next(&e->t->raw, text, from, &m)) {
        encode_between(w, e, part_of(text, from, m.begin), from == 0);
        add_id(w, e, m.id);
        from = m.end;
    }
    encode_between(w, e, part_of(text, from, text.size_bytes), from == 0);
    for (uint32_t i = 0; e->special && i < e->t->after_count; i++)
        add_id(w, e, e->t->after[i]);
    e->out->ids = base_heap_alloc(e->ids.count * sizeof *e->out->ids);
    if (!e->out->ids) model_refuse(w, WHORL_MEMORY, "out of memory");
    if (e->ids.count) memcpy(e->out->ids, e->ids.ids, e->ids.count * sizeof *e->out->ids);
    e->out->count = e->ids.count;
}

enum whorl_status model_encode(struct model_tokenizer *t, const char *text, size_t size_bytes, bool special,
                               struct model_tokens *out, struct whorl_error *err) {
    struct encoding e = {.t = t, .text = text, .size_bytes = size_bytes, .special = special, .out = out};
    struct model_work w;
    *out = (struct model_tokens){0};
    model_work_init(&w, "the text");
    enum whorl_status status = model_work_run(&w, err, encode_text, &e);
    model_work_deinit(&w);
    return status;
}

void model_tokens_free(struct model_tokens *tokens) {
    base_heap_free(tokens->ids);
    *tokens = (struct model_tokens){0};
}
