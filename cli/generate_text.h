// What `whorl generate` does with a text and in a conversation alike.
#ifndef WHORL_CLI_GENERATE_TEXT_H
#define WHORL_CLI_GENERATE_TEXT_H

#include "base/json.h"
#include "speak.h"

struct prompt_text {
    char *data; // NUL-terminated; freed by free
    size_t size;
};
// The prompt of the command line: an argument, a file, or standard input.
enum whorl_status generate_read_prompt(const struct cli_options *o, struct prompt_text *out, struct whorl_error *err);
// On standard error, unless -q.
void generate_summarise(const struct speaker *s);
// conversation: an object with "messages", or NULL. Nothing is written without --json.
enum whorl_status generate_write_json(const struct speaker *s, yyjson_mut_doc *conversation, struct whorl_error *err);

// chat.c: --chat. With a prompt one answer, else a turn for each line of standard input.
enum whorl_status chat(struct speaker *s, struct prompt_text *prompt, const struct cli_options *o,
                       struct whorl_error *err);

#endif
