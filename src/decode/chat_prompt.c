// What users write goes through the template as text; the tokens that it puts around them are found by the tokenizer.
#include <stdlib.h>
#include <time.h>

#include "base/base.h"
#include "decode/chat_prompt.h"

static void put(yyjson_mut_doc *doc, const char *key, yyjson_mut_val *value) {
    yyjson_mut_obj_put(doc->root, yyjson_mut_str(doc, key), value);
}

enum whorl_status decoder_chat_prompt(const struct model_chat *chat, struct model_tokenizer *tokenizer,
                                      yyjson_mut_doc *doc, struct model_tokens *out, struct whorl_error *err) {
    *out = (struct model_tokens){0};
    if (!chat->template)
        return base_set_error(err, WHORL_UNSUPPORTED, "data",
                              "this model has no chat template, so it was not made for conversations: give it a text "
                              "to continue");
    put(doc, "add_generation_prompt", yyjson_mut_bool(doc, true));
    put(doc, "bos_token", yyjson_mut_strcpy(doc, chat->bos));
    put(doc, "eos_token", yyjson_mut_strcpy(doc, chat->eos));
    size_t json_bytes, text_bytes;
    char *text, *json = yyjson_mut_write(doc, 0, &json_bytes);
    if (!json) return base_set_error(err, WHORL_INVALID, "data", "a message is not UTF-8, or memory ran out");
    enum whorl_status status =
        model_template_render(chat->template, json, json_bytes, (int64_t)time(NULL), &text, &text_bytes, err);
    free(json);
    if (status != WHORL_OK) return status;
    status = model_encode(tokenizer, text, text_bytes, false, out, err); // a template brings its own beginning
    base_heap_free(text);
    if (status == WHORL_OK && out->count == 0)
        status = base_set_error(err, WHORL_INVALID, "data", "the model's template makes nothing of these messages");
    return status;
}
