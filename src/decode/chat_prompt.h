// A conversation as the prompt that the model's template makes of it.
#ifndef WHORL_DECODE_CHAT_PROMPT_H
#define WHORL_DECODE_CHAT_PROMPT_H

#include "base/json.h"
#include "model/chat/template.h"
#include "model/token/tokenizer.h"

// doc: an object with "messages" ([{"role": ..., "content": ...}, ...]) and what else the template may ask for; it gets
// the names that every template knows. The prompt ends where the model's answer begins. *out is freed by
// model_tokens_free. Errors: WHORL_UNSUPPORTED (the model has no template), WHORL_INVALID (the template refuses the
// messages, or they are not UTF-8), WHORL_LIMIT.
enum whorl_status decoder_chat_prompt(const struct model_chat *chat, struct model_tokenizer *tokenizer,
                                      yyjson_mut_doc *doc, struct model_tokens *out, struct whorl_error *err);

#endif
