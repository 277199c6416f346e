// `whorl bench decode`: tokens a second of a language model at the ends of texts of some lengths, of one text or of several
// side by side; and with --compare what it is worth that a dispatch does more than one loop, one step or one token.
//
// At the length C the last n = min(32, C / 2) tokens are timed. What stands before them is computed once and kept. Each
// sample decodes the same tokens again; the device is warm before the first. Bytes: all weights that a token needs, and
// keys and values of the tokens before it; of texts side by side the weights count once for all. A prompt: all tokens
// but the last of a text of which nothing is there yet. Rates are of all texts together.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/samples.h"
#include "commands.h"
#include "model_start.h"
#include "outcome.h"

enum { LENGTHS = 16, SAMPLES = 30, TIMED = 32, WAYS = 5 };
enum { LONG = 128 };                              // guess: tokens before those that are timed that are worth tiles
static const double warm_s = 0.5, sample_s = 1.0; // a length: warmed up, then measured for so long

struct way {
    enum whorl_strategy strategy;
    bool one_token; // a call decodes one token, else all that are timed
    bool prompt;    // a prompt is timed
};
struct row {
    struct way way;
    uint32_t length, timed;
    uint32_t count;
    double rate[SAMPLES]; // tokens a second, in ascending order
    double bytes;         // a token reads; 0: of a prompt
    double dispatches;    // a token needs
    bool fell_back;
};
struct bench {
    const struct cli_options *o;
    uint32_t lengths[LENGTHS], length_count, longest;
    struct row rows[LENGTHS * WAYS];
    uint32_t row_count, texts;
    struct whorl_device_info info;
    double weights_bytes, gbps; // gbps: what the probe reached, the faster of reading and copying
    const char *form, *family;
    uint32_t *ids; // [longest + texts]: text b begins at b
};

static enum whorl_status take_lengths(struct bench *b, struct whorl_error *err) {
    const char *at = b->o->lengths ? b->o->lengths : "64";
    while (*at) {
        char *end;
        unsigned long length = strtoul(at, &end, 10);
        if (end == at || *at == '-' || (*end && *end != ',') || length < 4 || length > UINT32_MAX ||
            b->length_count == LENGTHS)
            return base_set_error(err, WHORL_INVALID, "call",
                                  "--context takes up to %d numbers of tokens from 4 on, as in 64,512; not `%s`",
                                  LENGTHS, b->o->lengths);
        b->lengths[b->length_count++] = (uint32_t)length;
        if (length > b->longest) b->longest = (uint32_t)length;
        at = *end ? end + 1 : end;
    }
    if (b->length_count == 0) return base_set_error(err, WHORL_INVALID, "call", "--context is empty");
    b->texts = b->o->texts ? (uint32_t)b->o->texts : 1;
    b->ids = calloc((size_t)b->longest + DECODER_TEXTS, sizeof *b->ids);
    return b->ids ? WHORL_OK : base_set_error(err, WHORL_MEMORY, "data", "out of memory");
}

// ---- measuring ------------------------------------------------------------------------------------------------------

static enum whorl_status run_steps(struct decoder *d, uint32_t all, uint32_t each, struct whorl_error *err) {
    static const struct decoder_run_options options = {.progress = model_progress};
    enum whorl_status status = WHORL_OK;
    for (uint32_t done = 0; done < all && status == WHORL_OK; done += each) {
        status = decoder_run(d, each < all - done ? each : all - done, &options, err);
        enum whorl_status ended = model_stopped(err);
        if (ended != WHORL_OK) status = ended;
    }
    return status;
}

static enum whorl_status begin_all(const struct bench *b, struct decoder *d, uint32_t given, uint32_t length,
                                   struct whorl_error *err) {
    enum whorl_status status = WHORL_OK;
    for (uint32_t t = 0; t < b->texts && status == WHORL_OK; t++)
        status = decoder_begin(d, t, b->ids + t, given, length, &DECODER_GREEDY, err);
    return status;
}

static enum whorl_status time_prompt(struct bench *b, struct model_start *m, const struct row *row, double *out_s,
                                     struct whorl_error *err) {
    struct decoder *d = &m->decoder;
    for (uint32_t t = 0; t < b->texts; t++) // nothing of it is there
        b->ids[t] = (b->ids[t] + 1) % d->config.vocab;
    enum whorl_status status = begin_all(b, d, row->length, row->length, err);
    if (status == WHORL_OK && d->text[0].kept > 0)
        status = base_set_error(err, WHORL_INTERNAL, "run", "%u tokens are there already", d->text[0].kept);
    double start = cli_now_s();
    if (status == WHORL_OK) status = model_prompt(m, false, err);
    if (status == WHORL_OK && d->text[0].is_running) // too few for tiles
        status = run_steps(d, row->length - 1 - d->text[0].kept, TIMED, err);
    *out_s = cli_now_s() - start;
    return status;
}

// The tokens that are timed, once.
static enum whorl_status time_once(struct bench *b, struct model_start *m, const struct row *row, double *out_s,
                                   struct whorl_error *err) {
    struct decoder *d = &m->decoder;
    if (row->way.prompt) return time_prompt(b, m, row, out_s, err);
    uint32_t given = row->length - row->timed;
    enum whorl_status status = begin_all(b, d, given, row->length, err);
    if (status == WHORL_OK) status = model_prompt(m, false, err);
    if (status == WHORL_OK && d->text[0].kept + 1 < given) // what stands before them
        status = run_steps(d, given - 1 - d->text[0].kept, 256, err);
    double start = cli_now_s();
    if (status == WHORL_OK) status = run_steps(d, row->timed, row->way.one_token ? 1 : row->timed, err);
    *out_s = cli_now_s() - start;
    for (uint32_t t = 0; t < b->texts && status == WHORL_OK; t++)
        if (d->text[t].known != row->length)
            status =
                base_set_error(err, WHORL_INTERNAL, "run", "%u tokens instead of %u", d->text[t].known, row->length);
    return status;
}

static double bytes_of_token(const struct decoder *d, const struct row *row) {
    const struct model_config *c = &d->config;
    double each = decoder_form_bytes(d->forms[MODEL_EMBED]), embed = each * c->vocab * c->hidden;
    double before = row->length - row->timed / 2.0;
    return (d->weights_bytes - (c->tied ? 0 : embed - each * c->hidden)) / d->texts +
           8.0 * c->layers * c->kv_heads * c->head_size * before;
}

static enum whorl_status measure_row(struct bench *b, struct model_start *m, struct row *row, struct whorl_error *err) {
    struct decoder *d = &m->decoder;
    double s, end = cli_now_s() + warm_s;
    enum whorl_status status;
    do
        status = time_once(b, m, row, &s, err);
    while (status == WHORL_OK && cli_now_s() < end);
    uint64_t before = d->dispatches;
    end = cli_now_s() + sample_s;
    while (status == WHORL_OK && row->count < SAMPLES && (row->count < 3 || cli_now_s() < end)) {
        status = time_once(b, m, row, &s, err);
        row->rate[row->count++] = b->texts * row->timed / s;
    }
    if (status != WHORL_OK) return status;
    base_sort_samples(row->rate, row->count);
    row->dispatches = (double)(d->dispatches - before) / ((double)row->count * row->timed * b->texts);
    row->bytes = row->way.prompt ? 0 : bytes_of_token(d, row);
    row->fell_back = d->fell_back;
    return WHORL_OK;
}

// ---- the table ------------------------------------------------------------------------------------------------------

static double median_of(const struct row *r) { return base_median(r->rate, r->count); }
static double gbps_of(const struct row *r) { return median_of(r) * r->bytes * 1e-9; }

static void say_head(const struct bench *b) {
    char device[200];
    cli_device_words(&b->info, device, sizeof device);
    printf("%s, %.1f MB of weights in %s, on %s\n", b->family, b->weights_bytes * 1e-6, b->form, device);
    if (b->texts > 1) printf("%u texts side by side; tokens of all of them\n", b->texts);
    if (b->gbps > 0) printf("the probe reaches %.4g GB/s here\n", b->gbps);
    printf("%7s  %-25s %10s %21s %9s %6s\n", "context", "", "tokens/s", "least to most", "GB/s", "share");
}

static void say_row(const struct bench *b, const struct row *r) {
    char way[64], spread[40], share[16] = "";
    if (r->way.prompt)
        snprintf(way, sizeof way, "%s, a prompt", whorl_strategy_name(r->way.strategy));
    else
        snprintf(way, sizeof way, r->way.one_token ? "%s, one token a call" : "%s, %u a call",
                 whorl_strategy_name(r->way.strategy), r->timed);
    snprintf(spread, sizeof spread, "%.4g to %.4g", r->rate[0], r->rate[r->count - 1]);
    if (b->gbps > 0 && r->bytes > 0) snprintf(share, sizeof share, "%.0f%%", 100 * gbps_of(r) / b->gbps);
    printf("%7u  %-25s %10.4g %21s %9.4g %6s%s\n", r->length, way, median_of(r), spread, gbps_of(r), share,
           r->fell_back ? "  fell back" : "");
    (void)cli_push();
}

static void note_model(struct bench *b, const struct model_start *m) {
    const struct decoder *d = &m->decoder;
    b->info = *whorl_device_get_info(m->device);
    b->weights_bytes = d->weights_bytes;
    b->gbps = b->info.copy_gbps > b->info.read_gbps ? b->info.copy_gbps : b->info.read_gbps;
    b->form = decoder_forms_name(d);
    b->family = model_family_name(d->config.family);
    for (uint32_t i = 0; i < b->longest + b->texts; i++)
        b->ids[i] = (uint32_t)((uint64_t)i * 2654435761u % d->config.vocab);
    say_head(b);
}

static enum whorl_status measure_way(struct bench *b, struct model_start *m, struct way way, struct whorl_error *err) {
    enum whorl_status status = WHORL_OK;
    if (b->info.is_cpu) way.strategy = WHORL_CPU;
    for (uint32_t i = 0; i < b->length_count && status == WHORL_OK; i++) {
        if (way.prompt && b->lengths[i] <= DECODER_LEAST_TILED) continue;
        struct row *row = &b->rows[b->row_count];
        *row = (struct row){.way = way, .length = b->lengths[i]};
        row->timed = way.prompt ? row->length - 1 : row->length / 2 < TIMED ? row->length / 2 : TIMED;
        status = measure_row(b, m, row, err);
        if (status != WHORL_OK) break;
        b->row_count++;
        say_row(b, row);
    }
    return status;
}

// The ways, `count` of them, are of one strategy: one model is loaded for all.
static enum whorl_status measure_ways(struct bench *b, const struct way *ways, uint32_t count,
                                      struct whorl_error *err) {
    struct model_start m = {0};
    struct cli_options options = *b->o;
    bool prompts = false;
    options.strategy = ways->strategy;
    for (uint32_t i = 0; i < count; i++)
        prompts |= ways[i].prompt;
    enum whorl_status status = decoder_open(&m.decoder, options.files.items[0], err);
    m.decoder.config.eos_count = 0; // a text that ends itself could not be timed
    if (prompts || b->longest >= LONG) m.decoder.tiling = DECODER_TILED;
    if (status == WHORL_OK) status = model_start(&m, &options, b->texts, b->longest, err);
    m.quiet = true; // what is shown takes time
    if (status == WHORL_OK && b->row_count == 0) note_model(b, &m);
    if (status == WHORL_OK && m.decoder.tiles.why[0]) cli_hint("prompts are not in tiles: %s", m.decoder.tiles.why);
    for (uint32_t i = 0; i < count && status == WHORL_OK; i++)
        status = measure_way(b, &m, ways[i], err);
    model_stop(&m);
    return status;
}

static enum whorl_status write_bench(const struct bench *b, struct whorl_error *err) {
    yyjson_mut_doc *doc = json_create("bench decode", NULL);
    yyjson_mut_val *root = doc ? yyjson_mut_doc_get_root(doc) : NULL;
    if (doc) {
        yyjson_mut_obj_add_strcpy(doc, root, "model", b->o->files.items[0]);
        yyjson_mut_obj_add_str(doc, root, "family", b->family);
        yyjson_mut_obj_add_str(doc, root, "form", b->form);
        yyjson_mut_obj_add_uint(doc, root, "texts", b->texts);
        yyjson_mut_obj_add_real(doc, root, "weights_bytes", b->weights_bytes);
        yyjson_mut_obj_add_real(doc, root, "probe_gbps", b->gbps);
        yyjson_mut_val *rows = yyjson_mut_obj_add_arr(doc, root, "rows");
        for (uint32_t i = 0; i < b->row_count; i++) {
            const struct row *r = &b->rows[i];
            yyjson_mut_val *one = yyjson_mut_arr_add_obj(doc, rows);
            yyjson_mut_obj_add_str(doc, one, "strategy", whorl_strategy_name(r->way.strategy));
            yyjson_mut_obj_add_uint(doc, one, "tokens_a_call", r->way.one_token ? 1 : r->timed);
            yyjson_mut_obj_add_uint(doc, one, "context", r->length);
            yyjson_mut_obj_add_real(doc, one, "tokens_per_s", median_of(r));
            if (r->way.prompt) yyjson_mut_obj_add_real(doc, one, "prompt_ms", 1e3 * b->texts * r->timed / median_of(r));
            yyjson_mut_obj_add_real(doc, one, "bytes_a_token", r->bytes);
            yyjson_mut_obj_add_real(doc, one, "gbps", gbps_of(r));
            if (b->gbps > 0 && r->bytes > 0) yyjson_mut_obj_add_real(doc, one, "share_of_probe", gbps_of(r) / b->gbps);
            yyjson_mut_obj_add_real(doc, one, "dispatches_a_token", r->dispatches);
            yyjson_mut_obj_add_bool(doc, one, "fell_back", r->fell_back);
            yyjson_mut_val *samples = yyjson_mut_obj_add_arr(doc, one, "samples");
            for (uint32_t k = 0; k < r->count; k++)
                yyjson_mut_arr_add_real(doc, samples, r->rate[k]);
        }
    }
    json_add_device(doc, doc ? yyjson_mut_obj_add_obj(doc, root, "device") : NULL, &b->info, NULL);
    return json_write(doc, b->o->json, err);
}

enum cli_exit cli_bench_decode(const struct cli_options *o) {
    static const struct way all[WAYS] = {{WHORL_EAGER, false, false},
                                         {WHORL_STEPS, false, false},
                                         {WHORL_SINGLE, true, false},
                                         {WHORL_SINGLE, false, false},
                                         {WHORL_SINGLE, false, true}};
    const struct way asked[] = {{o->strategy, true, false}, {o->strategy, false, false}, {o->strategy, false, true}};
    struct bench b = {.o = o};
    struct whorl_error err = {0};
    guard_stage(GUARD_READING);
    enum whorl_status status = take_lengths(&b, &err);
    if (status == WHORL_OK && o->texts > DECODER_TEXTS)
        status = base_set_error(&err, WHORL_INVALID, "call", "1 to %d texts side by side, not %llu", DECODER_TEXTS,
                                (unsigned long long)o->texts);
    if (status == WHORL_OK && o->compare && o->strategy != WHORL_AUTO)
        status = base_set_error(&err, WHORL_INVALID, "call", "--compare takes every strategy: leave `--strategy` out");
    if (status == WHORL_OK && o->compare && o->device && strcmp(o->device, "cpu") == 0)
        status = base_set_error(&err, WHORL_INVALID, "call", "--compare is about dispatches: leave `--device cpu` out");
    const struct way *ways = o->compare ? all : asked;
    uint32_t count = o->compare ? WAYS : sizeof asked / sizeof *asked;
    for (uint32_t i = 0, next; i < count && status == WHORL_OK; i = next) {
        for (next = i + 1; next < count && ways[next].strategy == ways[i].strategy;)
            next++;
        status = measure_ways(&b, ways + i, next - i, &err);
    }
    if (status == WHORL_OK && o->json) status = write_bench(&b, &err);
    err.status = status;
    enum cli_exit code = status == WHORL_OK ? CLI_OK : cli_report(&err);
    guard_done(cli_flush(code));
    free(b.ids);
    return code;
}
