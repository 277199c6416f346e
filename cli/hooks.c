// An intervention is words as in layer=12,vector=v.npy,scale=4.
#include "hooks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "npy.h"
#include "outputs.h"

struct hook_words {
    const char *option; // "--steer"
    const char *text;   // the whole
    bool has_layer, has_head;
    uint32_t layer, head;
    double scale;
    char path[1024]; // of vector= or out=
};

static enum whorl_status wrong(const struct hook_words *w, struct whorl_error *err) {
    const char *form = strcmp(w->option, "--steer") == 0    ? "layer=12,vector=v.npy,scale=4"
                       : strcmp(w->option, "--ablate") == 0 ? "layer=3,head=5"
                                                            : "layer=12,out=acts.npy";
    return base_set_error(err, WHORL_INVALID, "call", "%s is written %s, not `%s`", w->option, form, w->text);
}

static bool take_number(const char *text, uint32_t *out) {
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    *out = (uint32_t)value;
    return end != text && !*end && text[0] != '-' && value <= UINT32_MAX;
}

static bool take_word(struct hook_words *w, const char *key, const char *value) {
    char *end;
    if (strcmp(key, "layer") == 0) return w->has_layer = take_number(value, &w->layer);
    if (strcmp(key, "head") == 0 && strcmp(w->option, "--ablate") == 0)
        return w->has_head = take_number(value, &w->head);
    if (strcmp(key, strcmp(w->option, "--capture") == 0 ? "out" : "vector") == 0) {
        snprintf(w->path, sizeof w->path, "%s", value);
        return *value != 0 && strlen(value) < sizeof w->path;
    }
    if (strcmp(key, "scale") != 0 || strcmp(w->option, "--steer") != 0) return false;
    w->scale = strtod(value, &end);
    return end != value && !*end && isfinite(w->scale);
}

static enum whorl_status take_words(const char *option, const char *text, const struct decoder *d,
                                    struct hook_words *out, struct whorl_error *err) {
    *out = (struct hook_words){.option = option, .text = text, .scale = 1};
    char part[1100];
    for (const char *at = text; *at;) {
        size_t size = strcspn(at, ",");
        snprintf(part, sizeof part, "%.*s", (int)(size < sizeof part ? size : sizeof part - 1), at);
        char *value = strchr(part, '=');
        if (!value) return wrong(out, err);
        *value++ = 0;
        if (!take_word(out, part, value)) return wrong(out, err);
        at += size + (at[size] == ',');
    }
    bool is_ablate = strcmp(option, "--ablate") == 0;
    if (!out->has_layer || (is_ablate ? !out->has_head || out->path[0] : !out->path[0])) return wrong(out, err);
    if (out->layer >= d->config.layers)
        return base_set_error(err, WHORL_INVALID, "call", "%s: the model's layers are 0 to %u, not %u", option,
                              d->config.layers - 1, out->layer);
    if (is_ablate && out->head >= d->config.heads)
        return base_set_error(err, WHORL_INVALID, "call", "%s: a layer's heads are 0 to %u, not %u", option,
                              d->config.heads - 1, out->head);
    return WHORL_OK;
}

// A vector, or the mean of the rows of a table, times scale, to out[0..hidden).
static enum whorl_status add_vector(const struct hook_words *w, uint32_t hidden, float *out, struct whorl_error *err) {
    struct npy npy;
    void *data = NULL;
    enum whorl_status status = npy_read(w->path, &npy, &data, err);
    if (status != WHORL_OK) return status;
    const float *rows = data;
    bool good = npy.dtype == WHORL_F32 && (npy.ndims == 1 || npy.ndims == 2) && npy.dims[npy.ndims - 1] == hidden;
    uint64_t count = good && npy.ndims == 2 ? npy.dims[0] : 1;
    if (!good || count == 0)
        status =
            base_set_error(err, WHORL_INVALID, "data", "%s: %s is to be f32[%u], or rows of that, whose mean is taken",
                           w->option, w->path, hidden);
    for (uint32_t i = 0; i < hidden && status == WHORL_OK; i++) {
        double sum = 0;
        for (uint64_t r = 0; r < count; r++)
            sum += (double)rows[r * hidden + i];
        out[i] += (float)(w->scale * sum / (double)count);
        if (!isfinite(out[i]))
            status =
                base_set_error(err, WHORL_INVALID, "data", "%s: element %u of %s is no number", w->option, i, w->path);
    }
    base_heap_free(data);
    return status;
}

static enum whorl_status open_steer(struct hooks *h, const struct cli_list *list, struct decoder *d,
                                    struct whorl_error *err) {
    if (list->count == 0) return WHORL_OK;
    d->hooks.steer = h->steer = calloc((size_t)d->config.layers * d->config.hidden, sizeof *h->steer);
    if (!h->steer) return base_set_error(err, WHORL_MEMORY, "data", "out of memory");
    enum whorl_status status = WHORL_OK;
    for (size_t i = 0; i < list->count && status == WHORL_OK; i++) {
        struct hook_words w;
        status = take_words("--steer", list->items[i], d, &w, err);
        if (status == WHORL_OK)
            status = add_vector(&w, d->config.hidden, h->steer + (size_t)w.layer * d->config.hidden, err);
    }
    return status;
}

static enum whorl_status open_keep(struct hooks *h, const struct cli_list *list, struct decoder *d,
                                   struct whorl_error *err) {
    if (list->count == 0) return WHORL_OK;
    size_t count = (size_t)d->config.layers * d->config.heads;
    d->hooks.keep = h->keep = malloc(count * sizeof *h->keep);
    if (!h->keep) return base_set_error(err, WHORL_MEMORY, "data", "out of memory");
    for (size_t i = 0; i < count; i++)
        h->keep[i] = 1;
    enum whorl_status status = WHORL_OK;
    for (size_t i = 0; i < list->count && status == WHORL_OK; i++) {
        struct hook_words w;
        status = take_words("--ablate", list->items[i], d, &w, err);
        if (status == WHORL_OK) h->keep[(size_t)w.layer * d->config.heads + w.head] = 0;
    }
    return status;
}

static enum whorl_status open_captures(struct hooks *h, const struct cli_list *list, struct decoder *d,
                                       struct whorl_error *err) {
    if (list->count == 0) return WHORL_OK;
    d->hooks.trace = true;
    h->captures = calloc(list->count, sizeof *h->captures);
    if (!h->captures) return base_set_error(err, WHORL_MEMORY, "data", "out of memory");
    enum whorl_status status = WHORL_OK;
    for (; h->capture_count < list->count && status == WHORL_OK; h->capture_count++) {
        struct hook_words *w = &h->captures[h->capture_count];
        status = take_words("--capture", list->items[h->capture_count], d, w, err);
        if (status == WHORL_OK) status = outputs_check_place(w->path, err);
    }
    return status;
}

enum whorl_status hooks_open(struct hooks *h, const struct cli_options *options, struct decoder *d,
                             struct whorl_error *err) {
    enum whorl_status status = open_steer(h, &options->steer, d, err);
    if (status == WHORL_OK) status = open_keep(h, &options->ablate, d, err);
    if (status == WHORL_OK) status = open_captures(h, &options->capture, d, err);
    return status;
}

enum whorl_status hooks_capture(const struct hooks *h, struct decoder *d, struct whorl_error *err) {
    const uint64_t dims[] = {d->text[0].kept, d->config.hidden};
    enum whorl_status status = WHORL_OK;
    if (h->capture_count == 0) return status;
    float *rows = malloc((size_t)(dims[0] * dims[1]) * sizeof *rows);
    if (!rows) return base_set_error(err, WHORL_MEMORY, "data", "out of memory");
    for (size_t i = 0; i < h->capture_count && status == WHORL_OK; i++) {
        status = decoder_trace(d, 0, h->captures[i].layer + 1, rows, err);
        if (status == WHORL_OK) status = npy_write(h->captures[i].path, WHORL_F32, 2, dims, rows, err);
    }
    free(rows);
    return status;
}

void hooks_close(struct hooks *h) {
    free(h->steer);
    free(h->keep);
    free(h->captures);
    *h = (struct hooks){0};
}
