// `whorl perplexity`: how well a language model foretells a text. The text is cut into windows of `context` tokens, each
// `stride` tokens behind the one before. A token is scored once, in the first window that holds it, so that all but those
// of the first window have at least context - stride tokens before them. Perplexity is the exponential of the mean of
// their negative logarithms, as Hugging Face's guide has it.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "commands.h"
#include "model_start.h"
#include "outcome.h"

enum { WINDOW = 512 }; // tokens, where the model has room for so many

struct score {
    const struct cli_options *o;
    struct model_start m;
    struct model_tokens text;
    size_t text_bytes;
    uint32_t window, stride, windows;
    float *likely;       // [window] of the window at hand
    double sum, squares; // of negative logarithms
    uint64_t count;      // tokens scored
    double s;
};

static enum whorl_status plan_windows(struct score *s, struct whorl_error *err) {
    uint32_t most = s->m.decoder.config.context;
    uint64_t window = s->o->context ? s->o->context : most < WINDOW ? most : WINDOW;
    uint64_t stride = s->o->stride ? s->o->stride : (window + 1) / 2;
    if (window < 2 || window > most)
        return base_set_error(err, WHORL_INVALID, "call", "--context %llu: this model's texts have 2 to %u tokens",
                              (unsigned long long)window, most);
    if (stride > window)
        return base_set_error(err, WHORL_INVALID, "call",
                              "--stride %llu would leave tokens out of windows of %llu (--context, up to %u)",
                              (unsigned long long)stride, (unsigned long long)window, most);
    if (s->text.count < 2)
        return base_set_error(err, WHORL_INVALID, "data",
                              "the text has %zu token%s: nothing is foretold of the first, so there must be two",
                              s->text.count, s->text.count == 1 ? "" : "s");
    s->window = (uint32_t)window;
    s->stride = (uint32_t)stride;
    s->likely = calloc(window, sizeof *s->likely);
    return s->likely ? WHORL_OK : base_set_error(err, WHORL_MEMORY, "data", "out of memory");
}

// Fills s->likely[1..size). A window that begins as the last one did keeps what was computed of it.
static enum whorl_status run_window(struct score *s, size_t begin, uint32_t size, struct whorl_error *err) {
    static const struct decoder_run_options options = {.judge = true, .progress = model_progress};
    struct decoder *d = &s->m.decoder;
    const struct decoder_text *t = &d->text[0];
    enum whorl_status status = decoder_begin(d, 0, s->text.ids + begin, size, size, &DECODER_GREEDY, err);
    uint32_t kept = t->kept;
    if (status == WHORL_OK) status = model_prompt(&s->m, true, err);
    while (status == WHORL_OK && t->is_running) {
        status = decoder_run(d, size, &options, err);
        if (status == WHORL_OK || status == WHORL_CANCELLED) {
            enum whorl_status ended = model_stopped(err);
            if (ended != WHORL_OK) status = ended;
        }
    }
    for (uint32_t i = kept + 1; status == WHORL_OK && i < size; i++)
        s->likely[i] = t->likely[i];
    return status;
}

static enum whorl_status score_text(struct score *s, struct whorl_error *err) {
    size_t scored = 1; // of the text's tokens, the first is foretold by nothing
    double start = cli_now_s();
    for (size_t begin = 0; scored < s->text.count; begin += s->stride) {
        size_t left = s->text.count - begin;
        uint32_t size = left < s->window ? (uint32_t)left : s->window;
        enum whorl_status status = size > 1 ? run_window(s, begin, size, err) : WHORL_OK;
        if (status != WHORL_OK) return status;
        for (size_t i = scored > begin + 1 ? scored : begin + 1; i < begin + size; i++) {
            double nats = -(double)s->likely[i - begin];
            if (!isfinite(nats))
                return base_set_error(
                    err, WHORL_INVALID, "run",
                    "the model gives no number for token %zu of the text; `whorl check-model %s` says "
                    "where it comes from",
                    i, s->o->files.items[0]);
            s->sum += nats;
            s->squares += nats * nats;
            s->count++;
        }
        scored = begin + size;
        s->windows++;
        if (s->o->verbose)
            cli_hint("%zu of %zu tokens: perplexity %.4f so far", scored, s->text.count,
                     exp(s->count ? s->sum / (double)s->count : 0));
    }
    s->s = cli_now_s() - start;
    return WHORL_OK;
}

// Of the mean, as if tokens were independent.
static double error_of(const struct score *s) {
    double n = (double)s->count, mean = s->sum / n, spread = s->squares / n - mean * mean;
    return n > 1 && spread > 0 ? sqrt(spread / (n - 1)) : 0;
}

static void say_score(const struct score *s) {
    const struct decoder *d = &s->m.decoder;
    double mean = s->sum / (double)s->count;
    char device[200], time[32];
    printf("perplexity %.4f +- %.4f\n", exp(mean), exp(mean) * error_of(s));
    if (s->o->quiet) return;
    cli_device_words(whorl_device_get_info(s->m.device), device, sizeof device);
    printf("%.4f bits a token, %.4f bits a byte\n", mean / log(2), s->sum / log(2) / (double)s->text_bytes);
    printf("%llu tokens scored, in %u windows of up to %u, each %u behind the last\n", (unsigned long long)s->count,
           s->windows, s->window, s->stride);
    cli_hint("%s on %s%s", cli_duration(s->s * 1e3, time), device,
             d->fell_back ? " (the one dispatch was not possible)" : "");
}

static enum whorl_status write_score(const struct score *s, struct whorl_error *err) {
    yyjson_mut_doc *doc = json_create("perplexity", NULL);
    yyjson_mut_val *root = doc ? yyjson_mut_doc_get_root(doc) : NULL;
    double mean = s->sum / (double)s->count;
    if (doc) {
        yyjson_mut_obj_add_strcpy(doc, root, "model", s->o->files.items[0]);
        yyjson_mut_obj_add_strcpy(doc, root, "text", s->o->files.items[1]);
        yyjson_mut_obj_add_real(doc, root, "perplexity", exp(mean));
        yyjson_mut_obj_add_real(doc, root, "perplexity_error", exp(mean) * error_of(s));
        yyjson_mut_obj_add_real(doc, root, "nats_a_token", mean);
        yyjson_mut_obj_add_real(doc, root, "bits_a_byte", s->sum / log(2) / (double)s->text_bytes);
        yyjson_mut_obj_add_uint(doc, root, "tokens", s->text.count);
        yyjson_mut_obj_add_uint(doc, root, "scored", s->count);
        yyjson_mut_obj_add_uint(doc, root, "windows", s->windows);
        yyjson_mut_obj_add_uint(doc, root, "context", s->window);
        yyjson_mut_obj_add_uint(doc, root, "stride", s->stride);
        yyjson_mut_obj_add_real(doc, root, "seconds", s->s);
        yyjson_mut_obj_add_bool(doc, root, "fell_back", s->m.decoder.fell_back);
    }
    json_add_device(doc, doc ? yyjson_mut_obj_add_obj(doc, root, "device") : NULL, whorl_device_get_info(s->m.device),
                    NULL);
    return json_write(doc, s->o->json, err);
}

enum cli_exit cli_perplexity(const struct cli_options *o) {
    struct score s = {.o = o};
    struct whorl_error err = {0};
    char *text = NULL;
    guard_stage(GUARD_READING);
    enum whorl_status status = base_read_file(o->files.items[1], MODEL_MAX_TEXT_BYTES, &text, &s.text_bytes, &err);
    if (status == WHORL_OK) status = decoder_open(&s.m.decoder, o->files.items[0], &err);
    if (status == WHORL_OK) status = model_encode(s.m.decoder.tokenizer, text, s.text_bytes, true, &s.text, &err);
    if (status == WHORL_OK) status = plan_windows(&s, &err);
    s.m.decoder.tiling = DECODER_TILED_AND_JUDGED;
    if (status == WHORL_OK) status = model_start(&s.m, o, 1, s.window, &err);
    if (status == WHORL_OK) status = score_text(&s, &err);
    if (status == WHORL_OK) say_score(&s);
    if (status == WHORL_OK && o->json) status = write_score(&s, &err);
    err.status = status;
    enum cli_exit code = status == WHORL_OK ? CLI_OK : cli_report(&err);
    guard_done(cli_flush(code));
    model_tokens_free(&s.text);
    model_stop(&s.m);
    base_heap_free(text);
    free(s.likely);
    return code;
}
