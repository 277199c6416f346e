// Texts on the device: what they begin with, and the calls that go on with them.
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "decode/params.h"

uint32_t decoder_prefix(const struct decoder *d, uint32_t which, const uint32_t *ids, size_t count) {
    const struct decoder_text *t = &d->text[which];
    uint32_t n = 0;
    while (n < t->kept && n + 1 < count && (uint32_t)t->tokens[n] == ids[n]) // what follows the last one is asked for
        n++;
    return n;
}

enum whorl_status decoder_begin(struct decoder *d, uint32_t which, const uint32_t *ids, size_t count, uint32_t limit,
                                const struct decoder_sampling *sampling, struct whorl_error *err) {
    struct decoder_text *t = &d->text[which];
    if (count == 0 || count > limit || limit > d->context)
        return base_set_error(err, WHORL_INVALID, "data", "a text of %zu tokens, to be %u at most, and room for %u",
                              count, limit, d->context);
    for (size_t i = 0; i < count; i++)
        if (ids[i] >= d->config.vocab)
            return base_set_error(err, WHORL_INVALID, "data", "token %u is none of the model's %u", ids[i],
                                  d->config.vocab);
    t->kept = decoder_prefix(d, which, ids, count);
    for (size_t i = t->kept; i < count; i++)
        t->tokens[i] = (int32_t)ids[i];
    t->given = t->known = (uint32_t)count;
    t->limit = limit;
    t->ended = false;
    t->is_running = t->kept + 1 < limit;
    t->sampling = *sampling;
    d->is_changed = true;
    return WHORL_OK;
}

void decoder_pause(struct decoder *d, uint32_t which) { d->text[which].is_running = false; }

// What a penalty looks at: the tokens that are computed already. The device adds the later ones.
static enum whorl_status write_seen(struct decoder *d, struct whorl_error *err) {
    memset(d->seen, 0, (size_t)d->texts * d->config.vocab * sizeof *d->seen);
    for (uint32_t b = 0; b < d->texts; b++)
        for (uint32_t i = 0; i < d->text[b].kept; i++)
            d->seen[(size_t)b * d->config.vocab + (uint32_t)d->text[b].tokens[i]] = 1;
    return decoder_write(d, "seen", d->seen, err);
}

enum whorl_status decoder_write_texts(struct decoder *d, struct whorl_error *err) {
    if (!d->is_changed) return WHORL_OK;
    float how[DECODER_TEXTS][4];
    int32_t rule[DECODER_TEXTS][2];
    bool penalty = false;
    for (uint32_t b = 0; b < d->texts; b++) {
        const struct decoder_sampling *s = &d->text[b].sampling;
        memcpy(how[b], (float[]){s->temperature, s->top_p, s->min_p, s->penalty}, sizeof how[b]);
        memcpy(rule[b], (int32_t[]){s->top_k, s->seed}, sizeof rule[b]);
        penalty |= d->text[b].is_running && s->penalty != 1;
    }
    enum whorl_status status = decoder_write(d, "how", how, err);
    if (status == WHORL_OK) status = decoder_write(d, "rule", rule, err);
    if (status == WHORL_OK) status = decoder_write(d, "tokens", d->tokens, err);
    if (status == WHORL_OK && penalty) status = write_seen(d, err);
    if (status == WHORL_OK) d->is_changed = false;
    return status;
}

static bool is_stop(const struct model_config *c, int32_t token) {
    for (uint32_t i = 0; i < c->eos_count; i++)
        if ((int32_t)c->eos[i] == token) return true;
    return false;
}

// What the device did of one text. It is believed only where it can be.
static enum whorl_status take(struct decoder *d, struct decoder_text *t, int32_t made, uint32_t steps,
                              struct whorl_error *err) {
    if (made < 0 || (uint32_t)made > steps || t->kept + (uint32_t)made >= t->limit)
        return base_set_error(err, WHORL_DEVICE, "run", "the device says that it made %d of %u steps", made, steps);
    t->kept += (uint32_t)made;
    if (t->kept >= t->known) t->known = t->kept + 1;
    for (uint32_t i = 0; i < t->known; i++)
        if (t->tokens[i] < 0 || (uint32_t)t->tokens[i] >= d->config.vocab)
            return base_set_error(err, WHORL_DEVICE, "run", "the device gave a token that the model does not have");
    t->ended = t->known > t->given && is_stop(&d->config, t->tokens[t->known - 1]);
    t->is_running = !t->ended && t->kept + 1 < t->limit;
    return WHORL_OK;
}

static enum whorl_status take_all(struct decoder *d, uint32_t active, uint32_t steps, bool judge,
                                  struct whorl_error *err) {
    int32_t made[DECODER_TEXTS];
    enum whorl_status status = decoder_read(d, "made", made, err);
    if (status == WHORL_OK) status = decoder_read(d, "tokens", d->tokens, err);
    if (status == WHORL_OK && judge) status = decoder_read(d, "likely", d->likely, err);
    for (uint32_t b = 0; b < active && status == WHORL_OK; b++)
        if (d->text[b].is_running) status = take(d, &d->text[b], made[b], steps, err);
    return status;
}

void decoder_ask(const struct decoder *d, const struct decoder_run_options *options, struct whorl_run_options *out) {
    if (!options || whorl_device_get_info(d->device)->is_cpu) return;
    out->progress = options->progress;
    out->user = options->user;
}

enum whorl_status decoder_run(struct decoder *d, uint32_t steps, const struct decoder_run_options *options,
                              struct whorl_error *err) {
    int32_t task[DECODER_TEXTS][3], made[DECODER_TEXTS] = {0};
    uint32_t active = 0;
    bool judge = options && options->judge;
    for (uint32_t b = 0; b < d->texts; b++) {
        const struct decoder_text *t = &d->text[b];
        if (t->is_running) active = b + 1;
        // one that does not run has no room for more, and is computed where nothing is kept
        memcpy(task[b],
               t->is_running ? (int32_t[]){(int32_t)t->kept, (int32_t)t->known, (int32_t)t->limit}
                             : (int32_t[]){(int32_t)t->kept, INT32_MAX, 0},
               sizeof task[b]);
    }
    if (active == 0) return WHORL_OK;
    const struct whorl_scalar scalars[] = {{"count", steps}, {"judge", judge}, {"active", active}};
    struct whorl_run_options o = WHORL_RUN_OPTIONS_INIT;
    struct whorl_stats stats;
    o.scalars = scalars;
    o.scalar_count = d->texts == 1 ? 2 : 3;
    decoder_ask(d, options, &o);
    enum whorl_status status = decoder_write_texts(d, err);
    if (status == WHORL_OK) status = decoder_write(d, "task", task, err);
    if (status == WHORL_OK) status = decoder_write(d, "made", made, err);
    if (status != WHORL_OK) return status;
    status = whorl_session_run(d->session, 1, &o, &stats, err);
    if (status != WHORL_OK && status != WHORL_CANCELLED) return status;
    d->dispatches += stats.dispatches;
    d->fell_back |= stats.fell_back;
    enum whorl_status taken = take_all(d, active, steps, judge, err);
    return taken == WHORL_OK ? status : taken;
}

enum whorl_status decoder_logits(struct decoder *d, uint32_t which, float *out, struct whorl_error *err) {
    size_t row = d->config.vocab;
    float *all = d->texts == 1 ? out : malloc(d->texts * row * sizeof *all);
    if (!all) return base_set_error(err, WHORL_MEMORY, "data", "out of memory");
    enum whorl_status status = decoder_read(d, "logits", all, err);
    if (all != out) {
        if (status == WHORL_OK) memcpy(out, all + which * row, row * sizeof *out);
        free(all);
    }
    return status;
}

enum whorl_status decoder_trace(struct decoder *d, uint32_t which, uint32_t layer, float *out,
                                struct whorl_error *err) {
    size_t row = d->config.hidden, text = d->room * row, at = ((size_t)layer * d->texts + which) * text;
    float *all = malloc((d->config.layers + 1) * d->texts * text * sizeof *all);
    if (!all) return base_set_error(err, WHORL_MEMORY, "data", "out of memory");
    enum whorl_status status = decoder_read(d, "trace", all, err);
    if (status == WHORL_OK) memcpy(out, all + at, d->text[which].kept * row * sizeof *out);
    free(all);
    return status;
}
