// Chat templates: the part of Jinja that models' templates use, by an interpreter that can do nothing but make text.
#ifndef WHORL_MODEL_TEMPLATE_H
#define WHORL_MODEL_TEMPLATE_H

#include "model/file/work.h"

enum { TEMPLATE_MAX_BYTES = 1 << 20, TEMPLATE_STEPS = 5000000 };

struct model_template;
// The text of a template ("chat_template" of tokenizer_config.json, "tokenizer.chat_template" of GGUF). What is outside
// of the subset is WHORL_UNSUPPORTED, with its line. Blocks are trimmed as Hugging Face trims them.
enum whorl_status model_template_make(const char *text, size_t size_bytes, struct model_template **out,
                                      struct whorl_error *err);
void model_template_destroy(struct model_template *t); // NULL is fine

// Renders with the names of a JSON object: "messages", "add_generation_prompt", "bos_token", "tools" and whatever else
// the template asks for. now_s: what strftime_now tells, in seconds since 1970, UTC. *out_text is NUL-terminated and
// freed by base_heap_free. Errors: WHORL_INVALID (the template refuses the messages, or cannot work on them; the
// message has its line and what it says), WHORL_LIMIT (steps, memory).
enum whorl_status model_template_render(const struct model_template *t, const char *json, size_t json_bytes,
                                        int64_t now_s, char **out_text, size_t *out_bytes, struct whorl_error *err);

// template_find.c: the chat template of a model: a folder's tokenizer_config.json or chat_template.jinja, or GGUF's
// metadata; and the texts of its tokens, which templates use. *out is NULL where the model has none.
struct model_file;
struct model_chat {
    struct model_template *template;
    char bos[256], eos[256]; // "" where there is none
};
enum whorl_status model_chat_open(const char *path, const struct model_file *file, struct model_chat *out,
                                  struct whorl_error *err);
void model_chat_close(struct model_chat *chat);

#endif
