// `whorl generate --chat`: a conversation. Each turn's prompt begins with all of the turns before, of which the device
// still has what it computed.
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "decode/chat_prompt.h"
#include "generate_text.h"

enum { CHAT_CONTEXT = 2048 }; // guess: tokens that a conversation whose end is not known has room for

struct conversation {
    struct speaker *s;
    struct model_chat chat;
    yyjson_mut_doc *doc;
    yyjson_mut_val *messages;
    struct decoder_sampling sampling;
};

static enum whorl_status add_message(struct conversation *c, const char *role, const char *text, size_t size,
                                     struct whorl_error *err) {
    yyjson_mut_val *message = yyjson_mut_arr_add_obj(c->doc, c->messages);
    if (yyjson_mut_obj_add_str(c->doc, message, "role", role) &&
        yyjson_mut_obj_add_strncpy(c->doc, message, "content", text, size))
        return WHORL_OK;
    return base_set_error(err, WHORL_MEMORY, "data", "out of memory");
}

static enum whorl_status make_prompt(struct conversation *c, struct whorl_error *err) {
    struct speaker *s = c->s;
    model_tokens_free(&s->prompt);
    s->prompt = (struct model_tokens){0};
    return decoder_chat_prompt(&c->chat, s->m.decoder.tokenizer, c->doc, &s->prompt, err);
}

static enum whorl_status answer(struct conversation *c, struct whorl_error *err) {
    enum whorl_status status = speak(c->s, &c->sampling, err);
    if (status != WHORL_OK) return status;
    generate_summarise(c->s);
    return add_message(c, "assistant", c->s->said, c->s->said_bytes, err);
}

static enum whorl_status take_turn(struct conversation *c, const char *line, size_t size, struct whorl_error *err) {
    const struct decoder *d = &c->s->m.decoder;
    enum whorl_status status = add_message(c, "user", line, size, err);
    if (status == WHORL_OK) status = make_prompt(c, err);
    uint64_t needed = c->s->prompt.count + speak_most(c->s->o);
    if (status == WHORL_OK && needed > d->context)
        status = base_set_error(err, WHORL_LIMIT, "data",
                                "the conversation has %zu tokens now, and an answer may have %llu: there is room for "
                                "%u (--context)",
                                c->s->prompt.count, (unsigned long long)speak_most(c->s->o), d->context);
    return status == WHORL_OK ? answer(c, err) : status;
}

// A turn for each line, until there are no more.
static enum whorl_status take_turns(struct conversation *c, struct whorl_error *err) {
    char *line = NULL;
    size_t room = 0;
    enum whorl_status status = WHORL_OK;
    while (status == WHORL_OK) {
        guard_stage(GUARD_WAITING); // before the sign: who sees it may press Ctrl-C at once
        if (guard_forwards_terminal())
            fprintf(stderr, "%s> %s", cli_style(stderr, CLI_BOLD), cli_style(stderr, CLI_PLAIN));
        ssize_t size = getline(&line, &room, stdin);
        if (size < 0) break;
        while (size > 0 && (line[size - 1] == '\n' || line[size - 1] == '\r'))
            size--;
        if (size > MODEL_MAX_TEXT_BYTES)
            status = base_set_error(err, WHORL_LIMIT, "data", "a line of %d MB is no message", (int)(size >> 20));
        else if (size > 0)
            status = take_turn(c, line, (size_t)size, err);
    }
    if (guard_forwards_terminal()) fputc('\n', stderr);
    free(line);
    return status;
}

static enum whorl_status converse(struct conversation *c, struct prompt_text *prompt, struct whorl_error *err) {
    const struct cli_options *o = c->s->o;
    bool has_prompt = o->files.count > 1 || o->prompt_file;
    uint32_t context = 0;
    enum whorl_status status = has_prompt ? generate_read_prompt(o, prompt, err) : WHORL_OK;
    if (status == WHORL_OK && o->system) status = add_message(c, "system", o->system, strlen(o->system), err);
    if (status == WHORL_OK && has_prompt) status = add_message(c, "user", prompt->data, prompt->size, err);
    if (status == WHORL_OK && has_prompt) status = make_prompt(c, err);
    if (status == WHORL_OK && !c->chat.template) status = make_prompt(c, err); // says that there is none
    uint32_t most = c->s->m.decoder.config.context;
    if (status == WHORL_OK)
        status = speak_context(c->s, has_prompt ? 0 : most < CHAT_CONTEXT ? most : CHAT_CONTEXT, &context, err);
    if (status == WHORL_OK) status = speak_start(c->s, context, err);
    if (status == WHORL_OK) status = has_prompt ? answer(c, err) : take_turns(c, err);
    return status == WHORL_OK ? generate_write_json(c->s, c->doc, err) : status;
}

enum whorl_status chat(struct speaker *s, struct prompt_text *prompt, const struct cli_options *o,
                       struct whorl_error *err) {
    struct conversation c = {.s = s, .doc = yyjson_mut_doc_new(NULL)};
    if (!c.doc) return base_set_error(err, WHORL_MEMORY, "data", "out of memory");
    yyjson_mut_doc_set_root(c.doc, yyjson_mut_obj(c.doc));
    c.messages = yyjson_mut_obj_add_arr(c.doc, c.doc->root, "messages");
    c.sampling = speak_sampling(o);
    enum whorl_status status = speak_open(s, o, err);
    if (status == WHORL_OK) status = model_chat_open(o->files.items[0], s->m.decoder.file, &c.chat, err);
    if (status == WHORL_OK) status = converse(&c, prompt, err);
    model_chat_close(&c.chat);
    yyjson_mut_doc_free(c.doc);
    return status;
}
