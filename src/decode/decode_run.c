// Texts on the device: what they begin with, and the calls that go on with them.
#include <string.h>

#include "base/base.h"
#include "decode/params.h"

// Of `which`, what a call changes: where it stands.
struct state {
    int32_t position, ended;
};

// Tokens in front that are the same; a new text's last one has to be computed whatever was kept.
static uint32_t common_prefix(const struct decoder_text *t, const uint32_t *ids, uint32_t count) {
    uint32_t most = t->kept < count - 1 ? t->kept : count - 1, n = 0;
    while (n < most && (uint32_t)t->tokens[n] == ids[n])
        n++;
    return n;
}

// What a penalty looks at: the tokens that are computed already. The device adds the later ones.
static enum whorl_status write_seen(struct decoder *d, const struct decoder_text *t, struct whorl_error *err) {
    memset(d->seen, 0, d->config.vocab * sizeof *d->seen);
    for (uint32_t i = 0; i < t->kept; i++)
        d->seen[t->tokens[i]] = 1;
    return decoder_write(d, "seen", d->seen, err);
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
    t->kept = common_prefix(t, ids, (uint32_t)count);
    for (size_t i = t->kept; i < count; i++)
        t->tokens[i] = (int32_t)ids[i];
    memset(t->likely, 0, d->context * sizeof *t->likely);
    t->given = t->known = (uint32_t)count;
    t->limit = limit;
    t->ended = false;
    t->is_running = t->kept + 1 < limit;
    t->sampling = *sampling;
    const float how[4] = {sampling->temperature, sampling->top_p, sampling->min_p, sampling->penalty};
    const int32_t rule[2] = {sampling->top_k, sampling->seed};
    const struct state state = {(int32_t)t->kept, 0};
    enum whorl_status status = decoder_write(d, "how", how, err);
    if (status == WHORL_OK) status = decoder_write(d, "rule", rule, err);
    if (status == WHORL_OK) status = decoder_write(d, "state", &state, err);
    if (status == WHORL_OK) status = decoder_write(d, "tokens", t->tokens, err);
    if (status == WHORL_OK && sampling->penalty != 1) status = write_seen(d, t, err);
    return status;
}

void decoder_pause(struct decoder *d, uint32_t which) { d->text[which].is_running = false; }

static bool is_stop(const struct model_config *c, int32_t token) {
    for (uint32_t i = 0; i < c->eos_count; i++)
        if ((int32_t)c->eos[i] == token) return true;
    return false;
}

// What the device did. It is believed only where it can be.
static enum whorl_status take(struct decoder *d, struct decoder_text *t, bool judge, struct whorl_error *err) {
    struct state state;
    uint32_t before = t->kept;
    enum whorl_status status = decoder_read(d, "state", &state, err);
    if (status == WHORL_OK) status = decoder_read(d, "tokens", t->tokens, err);
    if (status == WHORL_OK && judge) status = decoder_read(d, "likely", t->likely, err);
    if (status != WHORL_OK) return status;
    if (state.position < (int32_t)before || state.position >= (int32_t)t->limit)
        return base_set_error(err, WHORL_DEVICE, "run", "the device went on from token %u to %d of %u", before,
                              state.position, t->limit);
    for (int32_t i = 0; i <= state.position; i++)
        if (t->tokens[i] < 0 || (uint32_t)t->tokens[i] >= d->config.vocab)
            return base_set_error(err, WHORL_DEVICE, "run", "the device gave a token that the model does not have");
    t->kept = (uint32_t)state.position;
    if (t->kept >= t->known) t->known = t->kept + 1;
    t->ended = t->known > t->given && is_stop(&d->config, t->tokens[t->known - 1]);
    t->is_running = !t->ended && t->kept + 1 < t->limit;
    return WHORL_OK;
}

enum whorl_status decoder_run(struct decoder *d, uint32_t steps, const struct decoder_run_options *options,
                              struct whorl_error *err) {
    struct decoder_text *t = &d->text[0];
    if (!t->is_running) return WHORL_OK;
    bool judge = options && options->judge;
    const struct whorl_scalar scalars[] = {
        {"count", steps}, {"known", t->known}, {"limit", t->limit}, {"judge", judge}};
    struct whorl_run_options o = WHORL_RUN_OPTIONS_INIT;
    struct whorl_stats stats;
    o.scalars = scalars;
    o.scalar_count = sizeof scalars / sizeof *scalars;
    o.progress = options ? options->progress : NULL;
    o.user = options ? options->user : NULL;
    enum whorl_status status = whorl_session_run(d->session, 1, &o, &stats, err);
    if (status != WHORL_OK && status != WHORL_CANCELLED) return status;
    d->dispatches += stats.dispatches;
    d->fell_back |= stats.fell_back;
    enum whorl_status taken = take(d, t, judge, err);
    return taken == WHORL_OK ? status : taken;
}

enum whorl_status decoder_logits(struct decoder *d, uint32_t which, float *out, struct whorl_error *err) {
    (void)which;
    return decoder_read(d, "logits", out, err);
}
