// `whorl check-model`: is there a number in the model's file that is none, and does the device compute what the CPU
// computes? Some tokens are run on both, and what comes out of each layer is compared.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "model_start.h"
#include "outcome.h"

enum { TOKENS = 16 };
static const char sample[] = "In the year 1969, three people flew to the Moon; two of them walked there.";
static const double most_error = 1e-3; // of the largest number that comes out of the layer

// One layer, or the logits behind the last.
struct layer_check {
    double largest, error; // of the CPU's numbers; of the difference, as a share of the largest of its token
    uint32_t token, element;
    const char *bad; // "NaN", "infinity": the first number that is none, on `device`
    const char *where;
    uint32_t bad_token, bad_element;
};

struct check_run {
    float *trace; // [layers + 1][tokens][hidden]
    float *logits;
    char device[200];
    bool is_cpu, fell_back;
};

struct model_check {
    const struct cli_options *o;
    struct model_tokens text;
    struct model_config config;
    uint32_t tokens, layers;   // layers: with the embedding in front and the logits behind
    struct layer_check *layer; // [layers]
    struct check_run run[2];   // the device, the CPU
    uint64_t weights, bad;     // tensors
    char first_bad[300];
};

// ---- the file -------------------------------------------------------------------------------------------------------

static const char *none(float v, float most) {
    return isnan(v) ? "NaN" : isinf(v) ? "infinity" : fabsf(v) > most ? "too large for f16" : NULL;
}

// What no number comes of on the device.
static enum whorl_status check_weight(struct model_check *c, const struct model_weight *w, float most,
                                      struct whorl_error *err) {
    float *row = malloc(w->columns * sizeof *row);
    if (!row) return base_set_error(err, WHORL_MEMORY, "data", "out of memory");
    bool found = false;
    for (uint64_t r = 0; r < w->rows && !found; r++) {
        if (!model_rows_f32(w->tensor, r, 1, row)) break;
        for (uint64_t i = 0; i < w->columns && !found; i++) {
            const char *why = none(row[i], w->rows > 1 ? most : INFINITY);
            if (!why) continue;
            char text[300];
            snprintf(text, sizeof text, "\"%.120s\", row %llu, column %llu: %s", w->tensor->name, (unsigned long long)r,
                     (unsigned long long)i, why);
            if (c->bad == 0) memcpy(c->first_bad, text, sizeof text);
            printf("%s\n", text);
            found = true;
        }
    }
    free(row);
    c->weights++;
    c->bad += found;
    return WHORL_OK;
}

static enum whorl_status check_file(struct model_check *c, const struct decoder *d, struct whorl_error *err) {
    static const float most[DECODER_FORMS] = {65519.0f, 127 * 65504.0f, 8 * 65504.0f}; // what rounds to a half float
    for (uint32_t l = 0; l < d->config.layers; l++)
        for (int role = 0; role < MODEL_ROLES; role++) {
            const struct model_weight *w = model_weight_of(&d->weights, (enum model_role)role, l);
            bool again = l > 0 && w == model_weight_of(&d->weights, (enum model_role)role, 0);
            again |= role == MODEL_HEAD && d->config.tied;
            if (!w->tensor || again) continue;
            enum whorl_status status = check_weight(c, w, most[d->forms[role]], err);
            if (status != WHORL_OK) return status;
        }
    return WHORL_OK;
}

// ---- a device -------------------------------------------------------------------------------------------------------

static enum whorl_status take_run(struct model_check *c, struct model_start *m, struct check_run *out,
                                  struct whorl_error *err) {
    struct decoder *d = &m->decoder;
    size_t layer = (size_t)c->tokens * c->config.hidden;
    enum whorl_status status = WHORL_OK;
    out->trace = calloc((c->config.layers + 1) * layer, sizeof *out->trace);
    out->logits = calloc(c->config.vocab, sizeof *out->logits);
    if (!out->trace || !out->logits) return base_set_error(err, WHORL_MEMORY, "data", "out of memory");
    for (uint32_t l = 0; l <= c->config.layers && status == WHORL_OK; l++)
        status = decoder_trace(d, 0, l, out->trace + l * layer, err);
    if (status == WHORL_OK) status = decoder_logits(d, 0, out->logits, err);
    cli_device_words(whorl_device_get_info(m->device), out->device, sizeof out->device);
    out->fell_back = d->fell_back;
    out->is_cpu = whorl_device_get_info(m->device)->is_cpu;
    return status;
}

static enum whorl_status run_device(struct model_check *c, const char *device, struct check_run *out,
                                    struct whorl_error *err) {
    static const struct decoder_run_options judged = {.judge = true, .progress = model_progress};
    struct model_start m = {0};
    struct cli_options options = *c->o;
    options.device = device;
    if (out == &c->run[1]) options.strategy = WHORL_AUTO;
    enum whorl_status status = decoder_open(&m.decoder, options.files.items[0], err);
    m.decoder.hooks.trace = true;
    if (status == WHORL_OK) status = model_start(&m, &options, 1, c->tokens + 1, err);
    if (status == WHORL_OK)
        status = decoder_begin(&m.decoder, 0, c->text.ids, c->tokens, c->tokens + 1, &DECODER_GREEDY, err);
    while (status == WHORL_OK && m.decoder.text[0].is_running) {
        status = decoder_run(&m.decoder, c->tokens, &judged, err);
        if (status == WHORL_OK) status = model_stopped(err);
    }
    if (status == WHORL_OK) status = take_run(c, &m, out, err);
    model_stop(&m);
    return status;
}

// ---- comparing ------------------------------------------------------------------------------------------------------

static void find_bad(struct layer_check *l, const float *v, uint32_t count, uint32_t token, const char *where) {
    for (uint32_t i = 0; i < count && !l->bad; i++) {
        l->bad = none(v[i], INFINITY);
        l->where = where;
        l->bad_token = token;
        l->bad_element = i;
    }
}

static void compare_token(struct layer_check *l, const float *got, const float *want, uint32_t count, uint32_t token) {
    double most = 0;
    for (uint32_t i = 0; i < count; i++)
        most = fmax(most, fabs((double)want[i]));
    l->largest = fmax(l->largest, most);
    for (uint32_t i = 0; i < count && most > 0; i++) {
        double error = fabs((double)got[i] - (double)want[i]) / most;
        if (error <= l->error) continue;
        l->error = error;
        l->token = token;
        l->element = i;
    }
}

static void compare(struct model_check *c, bool both) {
    size_t row = c->config.hidden, layer = c->tokens * row;
    for (uint32_t l = 0; l < c->layers; l++) {
        bool is_logits = l + 1 == c->layers;
        for (uint32_t t = 0; t < (is_logits ? 1 : c->tokens); t++) {
            const float *v[2];
            for (int r = 0; r < 2; r++)
                v[r] = is_logits ? c->run[r].logits : c->run[r].trace + l * layer + t * row;
            uint32_t count = is_logits ? c->config.vocab : c->config.hidden, token = is_logits ? c->tokens - 1 : t;
            find_bad(&c->layer[l], v[0], count, token, c->run[0].device);
            if (both) find_bad(&c->layer[l], v[1], count, token, c->run[1].device);
            compare_token(&c->layer[l], v[0], both ? v[1] : v[0], count, token);
        }
    }
}

static const char *layer_name(const struct model_check *c, uint32_t l, char out[32]) {
    if (l == 0) return "embedding";
    if (l + 1 == c->layers) return "logits";
    snprintf(out, 32, "layer %u", l - 1);
    return out;
}

// ---- what is said ---------------------------------------------------------------------------------------------------

static bool say_layers(const struct model_check *c, bool both) {
    char name[32];
    const struct layer_check *first_bad = NULL, *worst = NULL;
    uint32_t at = 0;
    if (!c->o->quiet) printf("%-12s %12s %12s\n", "", "largest", both ? "error" : "");
    for (uint32_t l = 0; l < c->layers; l++) {
        const struct layer_check *k = &c->layer[l];
        if (k->bad && !first_bad) {
            first_bad = k;
            at = l;
        }
        if (!worst || k->error > worst->error) worst = k;
        if (c->o->quiet) continue;
        printf("%-12s %12.4g", layer_name(c, l, name), k->largest);
        if (both) printf(" %12.2e  token %u, element %u", k->error, k->token, k->element);
        printf("%s%s\n", k->bad ? "  " : "", k->bad ? k->bad : "");
    }
    if (first_bad) {
        printf("the first number that is none: %s in %s%s, token %u, element %u, on %s\n", first_bad->bad,
               at == 0 || at + 1 == c->layers ? "the " : "what comes out of ", layer_name(c, at, name),
               first_bad->bad_token, first_bad->bad_element, first_bad->where);
        return false;
    }
    bool good = !both || worst->error <= most_error;
    if (both)
        printf("%s: the largest error is %.2e of the largest number of its layer and token, %s on %s\n",
               good ? "ok" : "wrong", worst->error, layer_name(c, (uint32_t)(worst - c->layer), name),
               c->run[0].device);
    else
        printf("ok: all are numbers; there is no other device than the CPU to compare it with\n");
    return good;
}

static enum whorl_status write_check(const struct model_check *c, bool both, bool good, struct whorl_error *err) {
    yyjson_mut_doc *doc = json_create("check-model", NULL);
    yyjson_mut_val *root = doc ? yyjson_mut_doc_get_root(doc) : NULL;
    char name[32];
    if (doc) {
        yyjson_mut_obj_add_strcpy(doc, root, "model", c->o->files.items[0]);
        yyjson_mut_obj_add_bool(doc, root, "ok", good);
        yyjson_mut_obj_add_uint(doc, root, "tensors", c->weights);
        yyjson_mut_obj_add_uint(doc, root, "tensors_with_bad_numbers", c->bad);
        if (c->bad) yyjson_mut_obj_add_strcpy(doc, root, "first_bad", c->first_bad);
        yyjson_mut_obj_add_strcpy(doc, root, "device", c->run[0].device);
        yyjson_mut_obj_add_bool(doc, root, "compared", both);
        yyjson_mut_obj_add_bool(doc, root, "fell_back", c->run[0].fell_back);
        yyjson_mut_val *list = yyjson_mut_obj_add_arr(doc, root, "layers");
        for (uint32_t l = 0; l < c->layers && c->run[0].trace; l++) {
            yyjson_mut_val *one = yyjson_mut_arr_add_obj(doc, list);
            yyjson_mut_obj_add_strcpy(doc, one, "name", layer_name(c, l, name));
            yyjson_mut_obj_add_real(doc, one, "largest", c->layer[l].largest);
            yyjson_mut_obj_add_real(doc, one, "error", c->layer[l].error);
            if (c->layer[l].bad) yyjson_mut_obj_add_str(doc, one, "bad", c->layer[l].bad);
        }
    }
    return json_write(doc, c->o->json, err);
}

static enum whorl_status read_model(struct model_check *c, struct whorl_error *err) {
    struct decoder d = {0};
    const char *text = c->o->files.count > 1 ? c->o->files.items[1] : sample;
    enum whorl_status status = decoder_open(&d, c->o->files.items[0], err);
    if (status == WHORL_OK) status = model_quantize(&d, c->o, err);
    if (status == WHORL_OK) status = check_file(c, &d, err);
    if (status == WHORL_OK) status = model_encode(d.tokenizer, text, strlen(text), true, &c->text, err);
    c->config = d.config;
    decoder_close(&d);
    if (status != WHORL_OK) return status;
    uint32_t most = c->config.context - 1;
    c->tokens = c->text.count < TOKENS ? (uint32_t)c->text.count : TOKENS;
    if (c->tokens > most) c->tokens = most;
    c->layers = c->config.layers + 2;
    c->layer = calloc(c->layers, sizeof *c->layer);
    if (!c->layer) return base_set_error(err, WHORL_MEMORY, "data", "out of memory");
    return c->tokens ? WHORL_OK : base_set_error(err, WHORL_INVALID, "data", "the text has no tokens");
}

enum cli_exit cli_check_model(const struct cli_options *o) {
    struct model_check c = {.o = o};
    struct whorl_error err = {0};
    bool good = false, both = false;
    guard_stage(GUARD_READING);
    enum whorl_status status = read_model(&c, &err);
    if (status == WHORL_OK && c.bad) {
        printf("%llu of %llu tensors have numbers that are none\n", (unsigned long long)c.bad,
               (unsigned long long)c.weights);
    } else if (status == WHORL_OK) {
        printf("%llu tensors: all are numbers\n", (unsigned long long)c.weights);
    }
    if (status == WHORL_OK) status = run_device(&c, o->device ? o->device : "gpu", &c.run[0], &err);
    if (status == WHORL_DEVICE && !o->device) status = run_device(&c, "cpu", &c.run[0], &err); // there is no GPU
    both = !c.run[0].is_cpu;
    if (status == WHORL_OK && both) status = run_device(&c, "cpu", &c.run[1], &err);
    if (status == WHORL_OK) compare(&c, both);
    if (status == WHORL_OK) good = say_layers(&c, both) && c.bad == 0;
    if (status == WHORL_OK && o->json) status = write_check(&c, both, good, &err);
    err.status = status;
    enum cli_exit code = status != WHORL_OK ? cli_report(&err) : good ? CLI_OK : CLI_WRONG;
    guard_done(cli_flush(code));
    model_tokens_free(&c.text);
    for (int r = 0; r < 2; r++) {
        free(c.run[r].trace);
        free(c.run[r].logits);
    }
    free(c.layer);
    return code;
}
