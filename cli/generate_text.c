// `whorl generate`: continues a text with a language model.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "generate_text.h"
#include "outcome.h"

// ---- the prompt -----------------------------------------------------------------------------------------------------

static enum whorl_status read_all(FILE *in, const char *name, struct prompt_text *out, struct whorl_error *err) {
    size_t n, room = 0;
    do {
        if (out->size + 65536 + 1 > room) {
            room = 2 * out->size + 65536 + 1;
            char *more = realloc(out->data, room);
            if (!more) return base_set_error(err, WHORL_MEMORY, "data", "out of memory");
            out->data = more;
        }
        n = fread(out->data + out->size, 1, 65536, in);
        out->size += n;
        if (out->size > MODEL_MAX_TEXT_BYTES)
            return base_set_error(err, WHORL_LIMIT, "data", "%s is larger than %d MB: no prompt", name,
                                  MODEL_MAX_TEXT_BYTES >> 20);
    } while (n > 0);
    out->data[out->size] = 0;
    return ferror(in) ? base_set_error(err, WHORL_IO, "data", "%s: %s", name, strerror(errno)) : WHORL_OK;
}

enum whorl_status generate_read_prompt(const struct cli_options *o, struct prompt_text *out, struct whorl_error *err) {
    const char *given = o->files.count > 1 ? o->files.items[1] : NULL;
    if (given && o->prompt_file)
        return base_set_error(err, WHORL_INVALID, "call", "a prompt is given twice: as an argument and with -f");
    if (!given && !o->prompt_file)
        return base_set_error(err, WHORL_INVALID, "call",
                              "no prompt: whorl generate MODEL \"Once upon a time\", or -f FILE");
    if (given) {
        out->data = strdup(given);
        out->size = strlen(given);
        return out->data ? WHORL_OK : base_set_error(err, WHORL_MEMORY, "data", "out of memory");
    }
    if (strcmp(o->prompt_file, "-") == 0) return read_all(stdin, "standard input", out, err);
    FILE *in = fopen(o->prompt_file, "rb");
    if (!in) return base_set_error(err, WHORL_IO, "data", "%s: %s", o->prompt_file, strerror(errno));
    enum whorl_status status = read_all(in, o->prompt_file, out, err);
    fclose(in);
    return status;
}

// ---- what is said of it ---------------------------------------------------------------------------------------------

void generate_summarise(const struct speaker *s) {
    const struct decoder *d = &s->m.decoder;
    char device[200], time[32];
    if (s->o->quiet) return;
    cli_device_words(whorl_device_get_info(s->m.device), device, sizeof device);
    cli_hint("%u tokens after %zu of the prompt, %s: %.1f tokens a second on %s%s", s->made, s->prompt.count,
             cli_duration(s->s * 1e3, time), s->all_s > 0 ? (double)s->all_positions / s->all_s : 0, device,
             s->ended ? "; the model ended the text" : "");
    if (!s->o->verbose) return;
    if (s->m.decoder.tiles.session)
        cli_hint("the prompt took %s, in tiles of %d tokens, up to %u in a call", cli_duration(s->prompt_s * 1e3, time),
                 DECODER_TILE, s->m.decoder.tiles.count);
    else if (s->m.decoder.tiles.why[0])
        cli_hint("the prompt was computed token by token: %s", s->m.decoder.tiles.why);
    cli_hint("%s, %u layers of %u; %.1f MB of weights (%s), %.1f MB for %u tokens; %llu dispatches%s",
             model_family_name(d->config.family), d->config.layers, d->config.hidden, d->weights_bytes / 1e6,
             decoder_forms_name(d), d->memory_bytes / 1e6, d->context, (unsigned long long)d->dispatches,
             d->fell_back ? " (the one dispatch was not possible)" : "");
}

enum whorl_status generate_write_json(const struct speaker *s, yyjson_mut_doc *conversation, struct whorl_error *err) {
    const struct decoder *d = &s->m.decoder;
    if (!s->o->json) return WHORL_OK;
    yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
    yyjson_mut_val *root = yyjson_mut_obj(doc);
    yyjson_mut_doc_set_root(doc, root);
    yyjson_mut_obj_add_strcpy(doc, root, "model", s->o->files.items[0]);
    yyjson_mut_obj_add_strncpy(doc, root, "text", s->said ? s->said : "", s->said_bytes);
    yyjson_mut_obj_add_str(doc, root, "finish_reason", s->ended ? "stop" : "length");
    yyjson_mut_val *prompt = yyjson_mut_obj_add_arr(doc, root, "prompt_tokens"),
                   *tokens = yyjson_mut_obj_add_arr(doc, root, "tokens");
    for (size_t i = 0; i < s->prompt.count; i++)
        yyjson_mut_arr_add_uint(doc, prompt, s->prompt.ids[i]);
    for (uint32_t i = 0; i < s->made; i++)
        yyjson_mut_arr_add_int(doc, tokens, d->text[0].tokens[s->prompt.count + i]);
    if (conversation)
        yyjson_mut_obj_add_val(doc, root, "messages",
                               yyjson_mut_val_mut_copy(doc, yyjson_mut_obj_get(conversation->root, "messages")));
    yyjson_mut_obj_add_real(doc, root, "seconds", s->all_s);
    yyjson_mut_obj_add_uint(doc, root, "dispatches", d->dispatches);
    yyjson_mut_obj_add_bool(doc, root, "fell_back", d->fell_back);
    yyjson_mut_obj_add_strcpy(doc, root, "device", whorl_device_get_info(s->m.device)->name);
    return json_write(doc, s->o->json, err);
}

// ---- the command ----------------------------------------------------------------------------------------------------

static enum whorl_status generate(struct speaker *s, struct prompt_text *prompt, const struct cli_options *o,
                                  struct whorl_error *err) {
    struct decoder_sampling sampling = speak_sampling(o);
    uint32_t context = 0;
    enum whorl_status status = generate_read_prompt(o, prompt, err);
    if (status == WHORL_OK) status = speak_open(s, o, err);
    if (status == WHORL_OK)
        status = model_encode(s->m.decoder.tokenizer, prompt->data, prompt->size, true, &s->prompt, err);
    if (status == WHORL_OK && s->prompt.count == 0)
        status = base_set_error(err, WHORL_INVALID, "data",
                                "the prompt is empty, and this model has no token that begins a text: give it a word");
    if (status == WHORL_OK) status = speak_context(s, 0, &context, err);
    if (status == WHORL_OK) status = speak_start(s, context, err);
    if (status == WHORL_OK && !o->quiet && cli_is_terminal(stdout)) {
        fputs(cli_style(stdout, CLI_DIM), stdout);
        speak_show(prompt->data, prompt->size);
        fputs(cli_style(stdout, CLI_PLAIN), stdout);
        (void)cli_push();
    }
    if (status == WHORL_OK) status = speak(s, &sampling, err);
    if (status != WHORL_OK) return status;
    generate_summarise(s);
    return generate_write_json(s, NULL, err);
}

enum cli_exit cli_generate(const struct cli_options *o) {
    struct speaker s = {0};
    struct prompt_text prompt = {0};
    struct whorl_error err = {0};
    guard_stage(GUARD_READING);
    if (!o->chat && o->system)
        err.status = base_set_error(&err, WHORL_INVALID, "call", "--system is part of a conversation: add --chat");
    else
        err.status = o->chat ? chat(&s, &prompt, o, &err) : generate(&s, &prompt, o, &err);
    if (err.status == WHORL_OK) err.status = hooks_capture(&s.m.hooks, &s.m.decoder, &err);
    enum cli_exit code = err.status == WHORL_OK ? CLI_OK : cli_report(&err);
    guard_done(cli_flush(code));
    speak_close(&s);
    free(prompt.data);
    return code;
}
