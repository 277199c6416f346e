// A template's life: its tree is made once; each rendering has memory of its own, with a limit.
#include "model/chat/template.h"

#include <string.h>

#include "model/chat/jinja.h"
#include "model/file/json_checked.h"

enum { RENDER_BYTES = 48 << 20 }; // beside what the JSON needs

struct model_template {
    struct model_work work;
    const struct jinja_node *root;
    const char *text; // while it is made
    size_t size_bytes;
};

static void make(struct model_work *w, void *arg) {
    struct model_template *t = arg;
    uint32_t count;
    if (t->size_bytes > TEMPLATE_MAX_BYTES)
        model_refuse(w, WHORL_LIMIT, "it has more than %d KiB", TEMPLATE_MAX_BYTES >> 10);
    t->root = jinja_parse(w, jinja_lex(w, t->text, t->size_bytes, &count));
}

enum whorl_status model_template_make(const char *text, size_t size_bytes, struct model_template **out,
                                      struct whorl_error *err) {
    *out = NULL;
    struct model_template *t = base_heap_alloc(sizeof *t);
    if (!t) return base_set_error(err, WHORL_MEMORY, "model", "out of memory");
    memset(t, 0, sizeof *t);
    model_work_init(&t->work, "chat template");
    t->work.cx.arena.limit_bytes = (size_t)RENDER_BYTES + 64 * size_bytes;
    t->text = text;
    t->size_bytes = size_bytes;
    enum whorl_status status = model_work_run(&t->work, err, make, t);
    t->text = NULL;
    if (status == WHORL_OK)
        *out = t;
    else
        model_template_destroy(t);
    return status;
}

void model_template_destroy(struct model_template *t) {
    if (!t) return;
    model_work_deinit(&t->work);
    base_heap_free(t);
}

struct rendering {
    const struct model_template *t;
    const char *json;
    size_t json_bytes;
    int64_t now_s;
    char **out_text;
    size_t *out_bytes;
};

static void render(struct model_work *w, void *arg) {
    struct rendering *r = arg;
    struct jinja_scope names = {.outer = NULL};
    struct jinja j = {.w = w, .top = &names, .scope = &names, .now_s = r->now_s};
    yyjson_val *root = model_json_parse(w, r->json, r->json_bytes);
    if (!yyjson_is_obj(root)) model_invalid(w, "it is rendered with a JSON object, not with another value");
    names.names = *jinja_of_json(&j, root).as.dict;
    j.steps = 0; // what the messages are costs nothing
    base_text_init(&j.out, &w->cx);
    jinja_run(&j, r->t->root);
    char *text = base_heap_alloc(j.out.size + 1);
    if (!text) model_refuse(w, WHORL_MEMORY, "out of memory");
    memcpy(text, j.out.data, j.out.size);
    text[j.out.size] = 0;
    *r->out_text = text;
    *r->out_bytes = j.out.size;
}

enum whorl_status model_template_render(const struct model_template *t, const char *json, size_t json_bytes,
                                        int64_t now_s, char **out_text, size_t *out_bytes, struct whorl_error *err) {
    struct rendering r = {t, json, json_bytes, now_s, out_text, out_bytes};
    struct model_work w;
    *out_text = NULL;
    *out_bytes = 0;
    if (json_bytes > MODEL_JSON_BYTES) return base_set_error(err, WHORL_LIMIT, "model", "the messages are too long");
    model_work_init(&w, "chat template");
    w.cx.arena.limit_bytes = (size_t)RENDER_BYTES + 16 * json_bytes;
    enum whorl_status status = model_work_run(&w, err, render, &r);
    model_work_deinit(&w);
    return status;
}
