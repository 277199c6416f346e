// Where the numbers come from, and which of them cannot be.
#include "model/weights/config.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "model/file/json_checked.h"

static const char *const families[] = {"llama", "qwen2", "qwen3"};

const char *model_family_name(enum model_family family) {
    return (size_t)family < MODEL_FAMILIES ? families[family] : "?";
}

enum model_family model_family_of(struct model_work *w, const char *name) {
    for (int f = 0; f < MODEL_FAMILIES; f++)
        if (strcmp(families[f], name) == 0) return (enum model_family)f;
    model_refuse(w, WHORL_UNSUPPORTED,
                 "the model's family is \"%.60s\"; whorl runs llama (2, 3, TinyLlama, SmolLM2), qwen2 (and 2.5), qwen3",
                 name);
}

struct limit {
    const char *name;
    uint32_t value, least, most;
};

static void check_limits(struct model_work *w, const struct model_config *c) {
    const struct limit limits[] = {
        {"layers", c->layers, 1, 1024},
        {"hidden size", c->hidden, 1, 1 << 16},
        {"intermediate size", c->intermediate, 1, 1 << 20},
        {"attention heads", c->heads, 1, 1024},
        {"key/value heads", c->kv_heads, 1, 1024},
        {"head size", c->head_size, 2, 1024},
        {"vocabulary", c->vocab, 1, 1 << 20},
        {"context", c->context, 1, 1 << 28},
    };
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (limits[i].value < limits[i].least || limits[i].value > limits[i].most)
            model_invalid(w, "%s: %u; from %u to %u is possible", limits[i].name, limits[i].value, limits[i].least,
                          limits[i].most);
}

static bool in_range(double value, double least, double most) { return value >= least && value <= most; } // NaN: no

void model_config_check(struct model_work *w, const struct model_config *c) {
    check_limits(w, c);
    if (c->heads % c->kv_heads)
        model_invalid(w, "%u attention heads cannot share %u key/value heads evenly", c->heads, c->kv_heads);
    if (c->head_size % 2) model_invalid(w, "a head size of %u is odd; the rotary embedding needs pairs", c->head_size);
    if (!in_range(c->rms_eps, 0, 1)) model_invalid(w, "the epsilon of the RMS norms is not from 0 to 1");
    const struct model_rope *r = &c->rope;
    if (!in_range(r->theta, 1, 1e12)) model_invalid(w, "rope theta is not from 1 to 1e12");
    if (r->kind != MODEL_ROPE_PLAIN && r->kind != MODEL_ROPE_FACTORS && !in_range(r->factor, 1, 1e6))
        model_invalid(w, "the factor of the rope scaling is not from 1 to 1e6");
    if (r->kind == MODEL_ROPE_LLAMA3 &&
        (!in_range(r->low, 1e-3, 1e6) || !in_range(r->high, 1e-3, 1e6) || r->low >= r->high || !r->original_context))
        model_invalid(w, "the borders of the llama3 rope scaling are not in order");
    if (c->has_bos && c->bos >= c->vocab)
        model_invalid(w, "the token %u, which begins a text, is not in the vocabulary", c->bos);
    for (uint32_t i = 0; i < c->eos_count; i++) // of this file or, in a folder, of generation_config.json
        if (c->eos[i] >= c->vocab)
            model_invalid(
                w,
                "the token %u, which ends a text (\"eos_token_id\", also of generation_config.json), is not in "
                "the vocabulary",
                c->eos[i]);
}

void model_rope_frequencies(const struct model_config *c, const float *factors, float *out) {
    const struct model_rope *r = &c->rope;
    static const double turn = 6.283185307179586;
    for (uint32_t i = 0; i < c->head_size / 2; i++) {
        double f = pow(r->theta, -2.0 * i / c->head_size);
        if (r->kind == MODEL_ROPE_LINEAR) f /= r->factor;
        if (r->kind == MODEL_ROPE_FACTORS) f /= (double)factors[i];
        if (r->kind == MODEL_ROPE_LLAMA3) {
            double turns = (double)r->original_context * f / turn; // of this pair within the original context
            double kept = (turns - r->low) / (r->high - r->low);
            kept = kept < 0 ? 0 : kept > 1 ? 1 : kept;
            f = kept * f + (1 - kept) * f / r->factor;
        }
        out[i] = (float)f;
    }
}

// ---- reading ----

struct reading {
    const char *path;
    const struct model_file *file;
    const char *texts[2];
    size_t sizes[2];
    struct model_config *out;
};

static void read_texts(struct model_work *w, void *arg) {
    struct reading *r = arg;
    model_config_take_json(w, model_json_parse(w, r->texts[0], r->sizes[0]), r->out);
    if (r->texts[1]) model_config_take_generation(w, model_json_parse(w, r->texts[1], r->sizes[1]), r->out);
    model_config_check(w, r->out);
}

// The folder of the model, or of its file.
static const char *folder_of(struct model_work *w, const char *path) {
    struct stat info;
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) return path;
    const char *slash = strrchr(path, '/');
    return slash ? base_strndup(&w->cx, path, (size_t)(slash - path) + 1) : ".";
}

static void read_files(struct model_work *w, void *arg) {
    struct reading *r = arg;
    if (r->file->gguf.version) {
        model_config_take_gguf(w, r->file, r->out);
        model_config_check(w, r->out);
        return;
    }
    const char *folder = folder_of(w, r->path);
    bool missing;
    w->name = base_format(&w->cx, "%s/config.json", folder);
    model_config_take_json(w, model_json_read(w, w->name, NULL), r->out);
    const char *config = w->name;
    w->name = base_format(&w->cx, "%s/generation_config.json", folder);
    yyjson_val *generation = model_json_read(w, w->name, &missing);
    if (!missing) model_config_take_generation(w, generation, r->out);
    w->name = config;
    model_config_check(w, r->out);
}

static enum whorl_status run(struct reading *r, const char *name, void (*job)(struct model_work *, void *),
                             struct whorl_error *err) {
    struct model_work w;
    memset(r->out, 0, sizeof *r->out);
    model_work_init(&w, name);
    enum whorl_status status = model_work_run(&w, err, job, r);
    model_work_deinit(&w);
    return status;
}

enum whorl_status model_config_read(const char *path, const struct model_file *file, struct model_config *out,
                                    struct whorl_error *err) {
    struct reading r = {.path = path, .file = file, .out = out};
    return run(&r, path, read_files, err);
}

enum whorl_status model_config_of_json(const char *config, size_t config_bytes, const char *generation,
                                       size_t generation_bytes, struct model_config *out, struct whorl_error *err) {
    struct reading r = {.texts = {config, generation}, .sizes = {config_bytes, generation_bytes}, .out = out};
    return run(&r, "config.json", read_texts, err);
}
