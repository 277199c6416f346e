// Calls of some tokens each, as many as a fifth of a second allows, and their text as soon as it is whole characters.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "speak.h"

// guess: tokens of the first call, seconds of each later one; a call is what can be shown at once.
enum { FIRST_TOKENS = 4, MOST_TOKENS = 256, ROUND_CONTEXT = 64 };
static const double call_s = 0.2;

uint64_t speak_most(const struct cli_options *o) { return o->new_tokens ? o->new_tokens : 128; }

struct decoder_sampling speak_sampling(const struct cli_options *o) {
    return (struct decoder_sampling){.temperature = (float)o->temperature,
                                     .top_p = o->top_p > 0 ? (float)o->top_p : 1,
                                     .min_p = (float)o->min_p,
                                     .penalty = o->penalty > 0 ? (float)o->penalty : 1,
                                     .top_k = o->top_k < INT32_MAX ? (int32_t)o->top_k : 0,
                                     .seed = (int32_t)(o->seed ? o->seed % INT32_MAX : 1)};
}

// ---- a model that is ready ------------------------------------------------------------------------------------------

enum whorl_status speak_open(struct speaker *s, const struct cli_options *o, struct whorl_error *err) {
    s->o = o;
    enum whorl_status status = decoder_open(&s->m.decoder, o->files.items[0], err);
    if (status == WHORL_OK && !(s->piece = malloc(model_detokenize_room(s->m.decoder.tokenizer))))
        status = base_set_error(err, WHORL_MEMORY, "data", "out of memory");
    return status;
}

enum whorl_status speak_context(const struct speaker *s, uint64_t otherwise, uint32_t *out, struct whorl_error *err) {
    const struct model_config *c = &s->m.decoder.config;
    uint64_t new_tokens = speak_most(s->o), needed = s->prompt.count + new_tokens + 1, asked = s->o->context;
    if (asked && asked < needed)
        return base_set_error(err, WHORL_INVALID, "data",
                              "--context %llu is too small: the prompt has %zu tokens and %llu more are asked for",
                              (unsigned long long)asked, s->prompt.count, (unsigned long long)new_tokens);
    uint64_t context = asked ? asked : (needed + ROUND_CONTEXT - 1) / ROUND_CONTEXT * ROUND_CONTEXT;
    if (!asked && context < otherwise) context = otherwise;
    if (context > c->context && !asked && needed <= c->context) context = c->context;
    if (context > c->context)
        return base_set_error(err, WHORL_LIMIT, "data",
                              "the model was made for %u tokens, and prompt and answer need %llu: a shorter prompt, or "
                              "a smaller -n",
                              c->context, (unsigned long long)(asked ? context : needed));
    *out = (uint32_t)context;
    return WHORL_OK;
}

enum whorl_status speak_start(struct speaker *s, uint32_t context, struct whorl_error *err) {
    bool is_short = s->prompt.count > 0 && s->prompt.count <= DECODER_LEAST_TILED;
    s->m.decoder.tiling = is_short ? DECODER_NO_TILES : DECODER_TILED;
    return model_start(&s->m, s->o, s->texts ? s->texts : 1, context, err);
}

void speak_close(struct speaker *s) {
    model_tokens_free(&s->prompt);
    model_stop(&s->m);
    free(s->piece);
    free(s->said);
    *s = (struct speaker){0};
}

// ---- the text -------------------------------------------------------------------------------------------------------

// What a model says may hold control characters, which a terminal would obey.
void speak_show(const char *text, size_t size) {
    if (!cli_is_terminal(stdout)) {
        fwrite(text, 1, size, stdout);
        return;
    }
    char piece[256];
    for (size_t n; size > 0; text += n, size -= n) {
        for (n = 0; n < size && n < sizeof piece - 1 && text[n]; n++)
            piece[n] = text[n];
        while (n > 1 && n < size && (text[n] & 0xc0) == 0x80)
            n--; // not in the middle of a character
        piece[n] = 0;
        cli_print(stdout, piece);
        if (n == 0) n = 1; // a 0 is nothing to look at
    }
}

static enum whorl_status say(struct speaker *s, const char *text, size_t size, struct whorl_error *err) {
    if (s->said_bytes + size + 1 > s->said_room) {
        size_t room = 2 * (s->said_bytes + size + 1);
        char *more = realloc(s->said, room);
        if (!more) return base_set_error(err, WHORL_MEMORY, "data", "out of memory");
        s->said = more;
        s->said_room = room;
    }
    memcpy(s->said + s->said_bytes, text, size);
    s->said_bytes += size;
    s->said[s->said_bytes] = 0;
    speak_show(text, size);
    if (!ferror(stdout)) return WHORL_OK;
    (void)cli_push(); // for the reason
    return base_set_error(err, WHORL_IO, "data", "the text cannot be written: %s", cli_output_reason());
}

// The tokens from `from` on; the one with which the model ended the text is no text.
static enum whorl_status say_tokens(struct speaker *s, uint32_t from, struct whorl_error *err) {
    const struct decoder_text *t = &s->m.decoder.text[0];
    enum whorl_status status = WHORL_OK;
    for (uint32_t i = from; i < t->known - t->ended && status == WHORL_OK; i++, s->made++) {
        size_t size = model_detokenize(s->m.decoder.tokenizer, &s->detokenizer, (uint32_t)t->tokens[i], s->piece);
        status = say(s, s->piece, size, err);
    }
    if (status == WHORL_OK && !cli_push())
        status = base_set_error(err, WHORL_IO, "data", "the text cannot be written: %s", cli_output_reason());
    return status;
}

static enum whorl_status continue_text(struct speaker *s, struct whorl_error *err) {
    const struct decoder_text *t = &s->m.decoder.text[0];
    const struct decoder_run_options options = {.progress = model_progress};
    uint32_t count = FIRST_TOKENS;
    while (t->is_running) {
        uint32_t known = t->known, kept = t->kept;
        double before = cli_now_s(), left = guard_left_s();
        enum whorl_status status = decoder_run(&s->m.decoder, count, &options, err);
        if (status == WHORL_OK || status == WHORL_CANCELLED) {
            enum whorl_status said = say_tokens(s, known, err);
            if (said != WHORL_OK) status = said;
        }
        if (status != WHORL_OK && status != WHORL_CANCELLED) return status;
        double took = cli_now_s() - before, fits = took > 0 ? call_s / took * (t->kept - kept) : MOST_TOKENS;
        count = fits < 1 ? 1 : fits > MOST_TOKENS ? MOST_TOKENS : (uint32_t)fits;
        if (guard_stopped())
            return base_set_error(err, WHORL_CANCELLED, "run", "cancelled; the text above is what was made");
        if (left > 0 && left < 1e-5) return base_set_error(err, WHORL_STOPPED, "run", "stopped by --max-time");
    }
    return WHORL_OK;
}

enum whorl_status speak(struct speaker *s, const struct decoder_sampling *sampling, struct whorl_error *err) {
    const struct decoder_text *t = &s->m.decoder.text[0];
    s->detokenizer = (struct model_detokenizer){0};
    s->said_bytes = 0;
    s->made = 0;
    enum whorl_status status = say(s, "", 0, err);
    if (status == WHORL_OK)
        status = decoder_begin(&s->m.decoder, 0, s->prompt.ids, s->prompt.count,
                               (uint32_t)(s->prompt.count + speak_most(s->o)), sampling, err);
    if (status != WHORL_OK) return status;
    for (size_t i = 0; i < s->prompt.count; i++) // what follows depends on it
        model_detokenize(s->m.decoder.tokenizer, &s->detokenizer, s->prompt.ids[i], s->piece);
    guard_stage(whorl_device_get_info(s->m.device)->is_cpu ? GUARD_ON_CPU : GUARD_STARTING);
    double start = cli_now_s();
    uint32_t kept = t->kept;
    status = model_prompt(&s->m, false, err);
    s->prompt_s = cli_now_s() - start;
    if (status == WHORL_OK) status = continue_text(s, err);
    s->s = cli_now_s() - start;
    s->all_s += s->s;
    s->all_made += s->made;
    s->all_positions += t->kept - kept;
    s->ended = t->ended;
    char rest[16];
    enum whorl_status last = say(s, rest, model_detokenize_end(&s->detokenizer, rest), status == WHORL_OK ? err : NULL);
    if (s->made) putchar('\n');
    (void)cli_push();
    return status != WHORL_OK ? status : last;
}
