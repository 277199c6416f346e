// Where a model keeps its chat template and the texts of the tokens that templates print.
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "model/chat/template.h"
#include "model/file/json_checked.h"
#include "model/file/open.h"

struct finding {
    const char *path;
    const struct model_file *file;
    struct model_chat *out;
    const char *text; // in the arena
    size_t size_bytes;
};

// "<s>", or {"content": "<s>", ...}
static void take_token(struct model_work *w, yyjson_val *root, const char *key, char out[256]) {
    yyjson_val *value = model_json_get(root, key);
    if (yyjson_is_obj(value)) value = model_json_get(value, "content");
    if (!value) return;
    const char *text = model_json_text(w, value, key);
    if (strlen(text) > 255) model_refuse(w, WHORL_LIMIT, "\"%s\" is longer than 255 bytes", key);
    memcpy(out, text, strlen(text) + 1);
}

// A text, or a list of named ones, of which that for plain chat is called "default".
static void take_template(struct model_work *w, struct finding *f, yyjson_val *value) {
    yyjson_arr_iter iter = yyjson_arr_iter_with(value);
    for (yyjson_val *one; yyjson_is_arr(value) && (one = yyjson_arr_iter_next(&iter));) {
        if (!yyjson_equals_str(model_json_get(one, "name"), "default")) continue;
        value = model_json_get(one, "template");
        break;
    }
    if (!value) return;
    f->text = model_json_text(w, value, "\"chat_template\"");
    f->size_bytes = strlen(f->text);
}

static const char *in_folder(struct model_work *w, const char *path, const char *name) {
    struct stat info;
    const char *slash = strrchr(path, '/');
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) return base_format(&w->cx, "%s/%s", path, name);
    return slash ? base_format(&w->cx, "%.*s%s", (int)(slash - path + 1), path, name) : name;
}

static void find_in_folder(struct model_work *w, struct finding *f) {
    bool missing;
    char *text;
    struct stat info;
    w->name = in_folder(w, f->path, "tokenizer_config.json");
    yyjson_val *root = model_json_read(w, w->name, &missing);
    if (!missing) {
        take_token(w, root, "bos_token", f->out->bos);
        take_token(w, root, "eos_token", f->out->eos);
        take_template(w, f, model_json_get(root, "chat_template"));
    }
    const char *own = in_folder(w, f->path, "chat_template.jinja"); // the newer place
    if (stat(own, &info) != 0) return;
    w->name = own;
    struct whorl_error why;
    enum whorl_status status = base_read_file(own, TEMPLATE_MAX_BYTES, &text, &f->size_bytes, &why);
    if (status != WHORL_OK) model_refuse(w, status, "%.300s", why.message);
    char *copy = base_strndup(&w->cx, text, f->size_bytes);
    base_heap_free(text);
    f->text = copy;
}

static void take_gguf_token(struct model_work *w, const struct gguf *g, const char *key, char out[256]) {
    const struct gguf_value *tokens = gguf_array(w, g, "tokenizer.ggml.tokens", GGUF_STRING);
    uint64_t id = gguf_uint(w, g, key, UINT32_MAX, UINT64_MAX);
    if (!tokens || id >= tokens->count) return;
    const unsigned char *at = tokens->data;
    struct gguf_string s = gguf_string_at(at);
    for (uint64_t i = 0; i < id; i++)
        s = gguf_string_at(s.next);
    if (s.size_bytes > 255 || memchr(s.text, 0, s.size_bytes))
        model_invalid(w, "the token of \"%s\" is no short text", key);
    memcpy(out, s.text, s.size_bytes);
}

static void find(struct model_work *w, void *arg) {
    struct finding *f = arg;
    if (f->file && f->file->gguf.version) {
        f->text = gguf_text(w, &f->file->gguf, "tokenizer.chat_template");
        f->size_bytes = f->text ? strlen(f->text) : 0;
        take_gguf_token(w, &f->file->gguf, "tokenizer.ggml.bos_token_id", f->out->bos);
        take_gguf_token(w, &f->file->gguf, "tokenizer.ggml.eos_token_id", f->out->eos);
    } else {
        find_in_folder(w, f);
    }
}

enum whorl_status model_chat_open(const char *path, const struct model_file *file, struct model_chat *out,
                                  struct whorl_error *err) {
    struct finding f = {.path = path, .file = file, .out = out};
    struct model_work w;
    memset(out, 0, sizeof *out);
    model_work_init(&w, path);
    enum whorl_status status = model_work_run(&w, err, find, &f);
    if (status == WHORL_OK && f.text) status = model_template_make(f.text, f.size_bytes, &out->template, err);
    model_work_deinit(&w);
    return status;
}

void model_chat_close(struct model_chat *chat) {
    model_template_destroy(chat->template);
    memset(chat, 0, sizeof *chat);
}
