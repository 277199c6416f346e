// Arrays that two sessions share: the one that is made later takes them over from the one that has them.
#include "run/session/buffers.h"

#include <string.h>

// The array parameter of that name; NULL: there is none. *out_param: its number.
static const struct plan_array *find_array(const struct plan *p, const char *name, uint32_t *out_param) {
    for (uint32_t i = 0; i < p->param_count; i++) {
        if (!p->params[i].is_array || strcmp(p->arrays[p->params[i].index].name, name) != 0) continue;
        *out_param = i;
        return &p->arrays[p->params[i].index];
    }
    return NULL;
}

// Parameter `param` of `s`, if it is an array that `other` has, too. *out_other, *out_param: that one.
static const struct plan_array *find_shared(const struct whorl_session *s, uint32_t param,
                                            const struct whorl_session *other, const struct plan_array **out_other,
                                            uint32_t *out_param) {
    if (!s->plan->params[param].is_array) return NULL;
    const struct plan_array *a = &s->plan->arrays[s->plan->params[param].index];
    *out_other = find_array(other->plan, a->name, out_param);
    return *out_other ? a : NULL;
}

static enum whorl_status no_share(const char *name, const char *why, struct whorl_error *err) {
    return base_set_error(err, WHORL_INVALID, "run", "array '%s' of two sessions %s", name, why);
}

static enum whorl_status check_form(const struct whorl_session *s, const struct plan_array *a,
                                    const struct whorl_session *other, const struct plan_array *o,
                                    struct whorl_error *err) {
    size_t bytes, others;
    if (!run_array_bytes(s->plan, a, s->scalars.values, &bytes) ||
        !run_array_bytes(other->plan, o, other->scalars.values, &others) || bytes != others || a->dtype != o->dtype ||
        a->wide != o->wide)
        return no_share(a->name, "is of two types or sizes", err);
    return WHORL_OK;
}

static bool value_of(const struct whorl_session *s, plan_expr e, int64_t *out) {
    return plan_eval(s->plan, e, s->scalars.values, out);
}

// A buffer is shared whole: all of its arrays that are in both have the same places in both.
static enum whorl_status borrow_one(struct whorl_session *s, const struct plan_array *a,
                                    const struct whorl_session *other, const struct plan_array *o,
                                    struct whorl_error *err) {
    int64_t size, from, others;
    if (!value_of(s, s->plan->buffers[a->buffer].size_bytes, &size) || !value_of(s, a->offset_bytes, &from) ||
        !value_of(other, o->offset_bytes, &others) || from != others || (uint64_t)size != other->res.sizes[o->buffer] ||
        (s->res.borrowed[a->buffer] && s->res.buffers[a->buffer] != other->res.buffers[o->buffer]))
        return no_share(a->name, "has two places: compile the program `beside` the other session's", err);
    s->res.borrowed[a->buffer] = true;
    s->res.buffers[a->buffer] = other->res.buffers[o->buffer];
    return WHORL_OK;
}

enum whorl_status run_borrow_buffers(struct whorl_session *s, const struct whorl_session *other,
                                     struct whorl_error *err) {
    uint32_t param;
    enum whorl_status status = WHORL_OK;
    if (s->res.gpu != other->res.gpu)
        return base_set_error(err, WHORL_INVALID, "run", "sessions of two devices cannot share arrays");
    for (uint32_t i = 0; i < s->plan->param_count && status == WHORL_OK; i++) {
        const struct plan_array *o, *a = find_shared(s, i, other, &o, &param);
        if (!a) continue;
        status = check_form(s, a, other, o, err);
        if (status == WHORL_OK) status = borrow_one(s, a, other, o, err);
    }
    for (uint32_t i = 0; i < s->plan->array_count && status == WHORL_OK; i++) { // nobody else's is in such a buffer
        const struct plan_array *a = &s->plan->arrays[i];
        if (s->res.borrowed[a->buffer] && !find_array(other->plan, a->name, &param))
            status = no_share(a->name, "shares a buffer with one of both: compile the program `beside` the other", err);
    }
    return status;
}

enum whorl_status run_borrow_memory(struct whorl_session *s, struct whorl_session *other, struct whorl_error *err) {
    if (other->strategy != WHORL_CPU)
        return base_set_error(err, WHORL_INVALID, "run", "sessions of two devices cannot share arrays");
    enum whorl_status status = run_host_memory(other, err);
    for (uint32_t i = 0; i < s->plan->param_count && status == WHORL_OK; i++) {
        uint32_t param;
        const struct plan_array *o, *a = find_shared(s, i, other, &o, &param);
        if (!a) continue;
        status = check_form(s, a, other, o, err);
        if (status != WHORL_OK) break;
        s->host.memory[i] = other->host.memory[param];
        s->host.borrowed[i] = true;
    }
    return status;
}
