// `whorl generate`: continues a text with a language model. The text appears while it is made.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "decode/decoder.h"
#include "outcome.h"
#include "terminal.h"

// guess: tokens of the first call, seconds of each later one; a call is what can be shown at once.
enum { FIRST_TOKENS = 4, MOST_TOKENS = 256, ROUND_CONTEXT = 64 };
static const double call_s = 0.2;

struct text {
    char *data;
    size_t size, cap;
};

static bool add(struct text *t, const char *data, size_t size) {
    if (t->size + size + 1 > t->cap) {
        size_t cap = 2 * (t->size + size + 1);
        char *more = realloc(t->data, cap);
        if (!more) return false;
        t->data = more;
        t->cap = cap;
    }
    memcpy(t->data + t->size, data, size);
    t->size += size;
    t->data[t->size] = 0;
    return true;
}

struct generation {
    const struct cli_options *o;
    struct decoder decoder;
    whorl_device *device;
    struct model_tokens prompt;
    struct model_detokenizer detokenizer;
    struct text said; // what was made
    char *piece;      // room for a token's text
    uint32_t made;
    double prompt_s, s;
};

// ---- the prompt -----------------------------------------------------------------------------------------------------

static enum whorl_status read_all(FILE *in, const char *name, struct text *out, struct whorl_error *err) {
    char buffer[65536];
    size_t n;
    while ((n = fread(buffer, 1, sizeof buffer, in)) > 0) {
        if (out->size + n > MODEL_MAX_TEXT_BYTES)
            return base_set_error(err, WHORL_LIMIT, "data", "%s is larger than %d MB: no prompt", name,
                                  MODEL_MAX_TEXT_BYTES >> 20);
        if (!add(out, buffer, n)) return base_set_error(err, WHORL_MEMORY, "data", "out of memory");
    }
    return ferror(in) ? base_set_error(err, WHORL_IO, "data", "%s: %s", name, strerror(errno)) : WHORL_OK;
}

static enum whorl_status read_prompt(const struct cli_options *o, struct text *out, struct whorl_error *err) {
    const char *given = o->files.count > 1 ? o->files.items[1] : NULL;
    if (given && o->prompt_file)
        return base_set_error(err, WHORL_INVALID, "data", "a prompt is given twice: as an argument and with -f");
    if (!given && !o->prompt_file)
        return base_set_error(err, WHORL_INVALID, "data",
                              "no prompt: whorl generate MODEL \"Once upon a time\", or -f FILE");
    if (given)
        return add(out, given, strlen(given)) ? WHORL_OK : base_set_error(err, WHORL_MEMORY, "data", "out of memory");
    if (strcmp(o->prompt_file, "-") == 0) return read_all(stdin, "standard input", out, err);
    FILE *in = fopen(o->prompt_file, "rb");
    if (!in) return base_set_error(err, WHORL_IO, "data", "%s: %s", o->prompt_file, strerror(errno));
    enum whorl_status status = read_all(in, o->prompt_file, out, err);
    fclose(in);
    return status;
}

static enum whorl_status check_options(const struct cli_options *o, struct decoder_sampling *out,
                                       struct whorl_error *err) {
    *out = (struct decoder_sampling){.temperature = (float)o->temperature,
                                     .top_p = o->top_p > 0 ? (float)o->top_p : 1,
                                     .min_p = (float)o->min_p,
                                     .penalty = o->penalty > 0 ? (float)o->penalty : 1,
                                     .top_k = o->top_k < INT32_MAX ? (int32_t)o->top_k : 0,
                                     .seed = (int32_t)(o->seed ? o->seed % INT32_MAX : 1)};
    const char *wrong = !(o->temperature >= 0 && o->temperature <= 100) ? "--temp takes 0 to 100"
                        : !(o->top_p >= 0 && o->top_p <= 1)             ? "--top-p takes a share, 0 to 1"
                        : !(o->min_p >= 0 && o->min_p < 1)              ? "--min-p takes a share, 0 to 1"
                        : !(o->penalty >= 0 && o->penalty <= 100)       ? "--repeat-penalty takes 1 to 100"
                        : (o->top_p > 0 || o->top_k > 0 || o->min_p > 0) && o->temperature == 0
                            ? "--top-p, --top-k and --min-p are about what is drawn: add --temp 0.7"
                            : NULL;
    return wrong ? base_set_error(err, WHORL_INVALID, "data", "%s", wrong) : WHORL_OK;
}

static uint64_t new_tokens_of(const struct cli_options *o) { return o->new_tokens ? o->new_tokens : 128; }

// Tokens that there must be room for.
static enum whorl_status plan_context(const struct generation *g, uint32_t *out, struct whorl_error *err) {
    const struct model_config *c = &g->decoder.config;
    uint64_t new_tokens = new_tokens_of(g->o), needed = g->prompt.count + new_tokens + 1;
    if (g->prompt.count == 0)
        return base_set_error(err, WHORL_INVALID, "data",
                              "the prompt is empty, and this model has no token that begins a text: give it a word");
    if (g->o->context && g->o->context < needed)
        return base_set_error(err, WHORL_INVALID, "data",
                              "--context %llu is too small: the prompt has %zu tokens and %llu more are asked for",
                              (unsigned long long)g->o->context, g->prompt.count, (unsigned long long)new_tokens);
    uint64_t context = g->o->context ? g->o->context : (needed + ROUND_CONTEXT - 1) / ROUND_CONTEXT * ROUND_CONTEXT;
    if (context > c->context && !g->o->context && needed <= c->context) context = c->context;
    if (context > c->context)
        return base_set_error(err, WHORL_LIMIT, "data",
                              "the model was made for %u tokens, and prompt and answer need %llu: a shorter prompt, or "
                              "a smaller -n",
                              c->context, (unsigned long long)(g->o->context ? context : needed));
    *out = (uint32_t)context;
    return WHORL_OK;
}

// ---- the text -------------------------------------------------------------------------------------------------------

// What a model says may hold control characters, which a terminal would obey.
static void show(const char *text, size_t size) {
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

// False: it cannot be written, or there is no memory.
static bool say(struct generation *g, const char *text, size_t size) {
    if (!add(&g->said, text, size)) return false;
    show(text, size);
    return !ferror(stdout);
}

// The tokens from `from` on; the one with which the model ended the text is no text.
static bool say_tokens(struct generation *g, uint32_t from) {
    const struct decoder_text *t = &g->decoder.text[0];
    for (uint32_t i = from; i < t->known - t->ended; i++, g->made++) {
        size_t size = model_detokenize(g->decoder.tokenizer, &g->detokenizer, (uint32_t)t->tokens[i], g->piece);
        if (!say(g, g->piece, size)) return false;
    }
    return fflush(stdout) == 0;
}

static bool on_progress(void *user, const struct whorl_progress *p) {
    (void)user;
    if (p->slice > 0) guard_stage(GUARD_IN_SLICES);
    return !guard_stopped();
}

static enum whorl_status generate(struct generation *g, struct whorl_error *err) {
    struct decoder *d = &g->decoder;
    const struct decoder_text *t = &d->text[0];
    const struct decoder_run_options options = {.progress = on_progress};
    uint32_t count = FIRST_TOKENS;
    for (uint32_t i = 0; i < g->prompt.count; i++) // what follows depends on it
        model_detokenize(d->tokenizer, &g->detokenizer, g->prompt.ids[i], g->piece);
    guard_stage(whorl_device_get_info(g->device)->is_cpu ? GUARD_ON_CPU : GUARD_STARTING);
    double start = cli_now_s();
    while (t->is_running) {
        uint32_t known = t->known, kept = t->kept;
        double before = cli_now_s(), left = guard_left_s();
        enum whorl_status status = decoder_run(d, count, &options, err);
        if (status != WHORL_OK && status != WHORL_CANCELLED) return status;
        if (!say_tokens(g, known))
            return base_set_error(err, WHORL_IO, "data", "the text cannot be written: %s", strerror(errno));
        double took = cli_now_s() - before;
        if (t->known == t->given) g->prompt_s = cli_now_s() - start;
        double fits = took > 0 ? call_s / took * (t->kept - kept) : MOST_TOKENS;
        count = fits < 1 ? 1 : fits > MOST_TOKENS ? MOST_TOKENS : (uint32_t)fits;
        if (guard_stopped())
            return base_set_error(err, WHORL_CANCELLED, "run", "cancelled; the text above is what was made");
        if (left > 0 && left < 1e-5) return base_set_error(err, WHORL_STOPPED, "run", "stopped by --max-time");
    }
    g->s = cli_now_s() - start;
    char rest[16];
    return say(g, rest, model_detokenize_end(&g->detokenizer, rest))
               ? WHORL_OK
               : base_set_error(err, WHORL_IO, "data", "the text cannot be written: %s", strerror(errno));
}

// ---- what is said of it ---------------------------------------------------------------------------------------------

static void summarise(const struct generation *g) {
    const struct decoder *d = &g->decoder;
    char device[200], time[32];
    uint32_t decoded = (uint32_t)g->prompt.count + g->made;
    cli_device_words(whorl_device_get_info(g->device), device, sizeof device);
    cli_hint("%u tokens after %zu of the prompt, %s: %.1f tokens a second on %s%s", g->made, g->prompt.count,
             cli_duration(g->s * 1e3, time), g->s > 0 ? decoded / g->s : 0, device,
             d->text[0].ended ? "; the model ended the text" : "");
    if (!g->o->verbose) return;
    cli_hint("%s, %u layers of %u; %.1f MB of weights, %.1f MB for %u tokens; %llu dispatches%s",
             model_family_name(d->config.family), d->config.layers, d->config.hidden, d->weights_bytes / 1e6,
             d->memory_bytes / 1e6, d->context, (unsigned long long)d->dispatches,
             d->fell_back ? " (the one dispatch was not possible)" : "");
}

static enum whorl_status write_json(const struct generation *g, struct whorl_error *err) {
    const struct decoder *d = &g->decoder;
    yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
    yyjson_mut_val *root = yyjson_mut_obj(doc);
    yyjson_mut_doc_set_root(doc, root);
    yyjson_mut_obj_add_strcpy(doc, root, "model", g->o->files.items[0]);
    yyjson_mut_obj_add_strncpy(doc, root, "text", g->said.data ? g->said.data : "", g->said.size);
    yyjson_mut_obj_add_str(doc, root, "finish_reason", d->text[0].ended ? "stop" : "length");
    yyjson_mut_val *prompt = yyjson_mut_obj_add_arr(doc, root, "prompt_tokens"),
                   *tokens = yyjson_mut_obj_add_arr(doc, root, "tokens");
    for (size_t i = 0; i < g->prompt.count; i++)
        yyjson_mut_arr_add_uint(doc, prompt, g->prompt.ids[i]);
    for (uint32_t i = 0; i < g->made; i++)
        yyjson_mut_arr_add_int(doc, tokens, d->text[0].tokens[g->prompt.count + i]);
    yyjson_mut_obj_add_real(doc, root, "seconds", g->s);
    yyjson_mut_obj_add_uint(doc, root, "dispatches", d->dispatches);
    yyjson_mut_obj_add_bool(doc, root, "fell_back", d->fell_back);
    yyjson_mut_obj_add_strcpy(doc, root, "device", whorl_device_get_info(g->device)->name);
    return json_write(doc, g->o->json, err);
}

static enum whorl_status start(struct generation *g, uint32_t context, struct whorl_error *err) {
    guard_stage(GUARD_COMPILING);
    enum whorl_status status = decoder_compile(&g->decoder, g->device, 1, context, err);
    if (status != WHORL_OK) return status;
    guard_expect(decoder_bytes(&g->decoder));
    guard_stage(GUARD_READING);
    return decoder_load(&g->decoder, g->o->strategy, err);
}

enum cli_exit cli_generate(const struct cli_options *o) {
    struct generation g = {.o = o};
    struct whorl_error err = {0};
    struct decoder_sampling sampling;
    struct text prompt = {0};
    uint32_t context = 0;
    guard_stage(GUARD_READING);
    enum whorl_status status = check_options(o, &sampling, &err);
    if (status == WHORL_OK) status = read_prompt(o, &prompt, &err);
    if (status == WHORL_OK) status = decoder_open(&g.decoder, o->files.items[0], &err);
    if (status == WHORL_OK)
        status = model_encode(g.decoder.tokenizer, prompt.data ? prompt.data : "", prompt.size, true, &g.prompt, &err);
    if (status == WHORL_OK) status = plan_context(&g, &context, &err);
    if (status == WHORL_OK) status = cli_open_device(o, &g.device, &err);
    if (status == WHORL_OK) status = start(&g, context, &err);
    if (status == WHORL_OK)
        status = decoder_begin(&g.decoder, 0, g.prompt.ids, g.prompt.count,
                               (uint32_t)(g.prompt.count + new_tokens_of(o)), &sampling, &err);
    if (status == WHORL_OK && !(g.piece = malloc(model_detokenize_room(g.decoder.tokenizer))))
        status = base_set_error(&err, WHORL_MEMORY, "data", "out of memory");
    if (status == WHORL_OK && !o->quiet && cli_is_terminal(stdout)) {
        fputs(cli_style(stdout, CLI_DIM), stdout);
        show(prompt.data, prompt.size);
        fputs(cli_style(stdout, CLI_PLAIN), stdout);
        fflush(stdout);
    }
    if (status == WHORL_OK) status = generate(&g, &err);
    if (g.made) putchar('\n');
    fflush(stdout);
    if (status == WHORL_OK && !o->quiet) summarise(&g);
    if (status == WHORL_OK && o->json) status = write_json(&g, &err);
    err.status = status;
    enum cli_exit code = status == WHORL_OK ? CLI_OK : cli_report(&err);
    guard_done(cli_flush(code));
    model_tokens_free(&g.prompt);
    decoder_close(&g.decoder);
    whorl_device_destroy(g.device);
    free(g.piece);
    free(g.said.data);
    free(prompt.data);
    return code;
}
