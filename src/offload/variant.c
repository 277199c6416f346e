// A region compiled at its first call, for the values that its scalars and sizes have there. A scalar that comes with a
// second value is left open in the next variant, where the compiler can.
#define _GNU_SOURCE // pthread_getattr_np
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "offload/place.h"
#include "run/device/device.h"

bool offload_refuse(struct offload_state *state, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(state->why, sizeof state->why, format, args);
    va_end(args);
    state->why[strcspn(state->why, "\n")] = 0;
    for (char *p = state->why; (p = strstr(p, "ccv_"));) { // the user's name is what follows
        size_t digits = strspn(p + 4, "0123456789"), size = digits && p[4 + digits] == '_' ? digits + 5 : 4;
        memmove(p, p + size, strlen(p + size) + 1);
    }
    return false;
}

bool offload_refuse_error(struct offload_state *state, whorl_device *device, const struct whorl_error *err) {
    if (device->gpu) (void)run_gpu_was_lost(device->gpu, err); // then it is marked so
    return offload_refuse(state, "%s", err->message);
}

static bool is_integer(const struct whorl_cc_param *p) {
    return p->kind == WHORL_CC_INTEGER || p->kind == WHORL_CC_OFFSET || p->kind == WHORL_CC_WIDTH;
}

static long long value_of(const struct whorl_cc_region *r, const struct whorl_cc_arg *args,
                          const struct offload_array *arrays, int i) {
    if (r->params[i].kind == WHORL_CC_OFFSET) return arrays[i - 1].at;
    return r->params[i].kind == WHORL_CC_WIDTH ? arrays[i].at : args[i].integer;
}

static bool is_array(const struct whorl_cc_param *p) { return p->kind == WHORL_CC_ARRAY || p->kind == WHORL_CC_WHICH; }

static bool same_sizes(const struct whorl_cc_region *r, const struct offload_variant *v,
                       const struct offload_array *arrays) {
    if (v->is_flat != v->state->is_flat) return false;
    for (int i = 0; i < r->param_count; i++)
        if (is_array(&r->params[i]) && (v->outer[i] != arrays[i].outer || v->into[i] != arrays[i].into)) return false;
    return true;
}

static bool fits(const struct whorl_cc_region *r, const struct offload_variant *v, const struct whorl_cc_arg *args,
                 const struct offload_array *arrays) {
    if (v->is_passed_over || !same_sizes(r, v, arrays)) return false;
    for (int i = 0; i < r->param_count; i++)
        if (is_integer(&r->params[i]) && !(v->uniform >> i & 1) && v->values[i] != value_of(r, args, arrays, i))
            return false;
    return true;
}

// Scalars go to the compiler as doubles, which have not all integers.
static bool are_exact(struct offload_state *state, const struct whorl_cc_arg *args) {
    const long long most = 1ll << 53;
    for (int i = 0; i < state->region->param_count; i++)
        if (state->region->params[i].kind == WHORL_CC_INTEGER && (args[i].integer > most || args[i].integer < -most))
            return offload_refuse(state, "integers of more than 53 bits are for the CPU: '%s' is %lld",
                                  state->region->params[i].name, args[i].integer);
    return true;
}

// The compiler is a recursive one: threads with small stacks leave it to others.
static bool has_stack(struct offload_state *state) {
    enum { NEEDED = 2 << 20 };
    pthread_attr_t attributes;
    void *low;
    size_t size;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return true;
    bool known = pthread_attr_getstack(&attributes, &low, &size) == 0;
    pthread_attr_destroy(&attributes);
    if (!known || (size_t)((char *)&size - (char *)low) >= NEEDED) return true;
    return offload_refuse(state, "this thread's stack is too small to compile it");
}

// ---- making one -----------------------------------------------------------------------------------------------------

static bool compile(struct offload_state *state, struct offload_variant *v, whorl_device *device,
                    const struct whorl_cc_arg *args, const char *program) {
    const struct whorl_cc_region *r = state->region;
    struct whorl_scalar scalars[OFFLOAD_PARAMS];
    struct whorl_shape shapes[OFFLOAD_PARAMS];
    const char *uniform[OFFLOAD_PARAMS];
    struct whorl_compile_options o = WHORL_COMPILE_OPTIONS_INIT;
    for (int i = 0; i < r->param_count; i++) {
        const struct whorl_cc_param *p = &r->params[i];
        if (p->kind == WHORL_CC_ARRAY && !(p->flags & WHORL_CC_CELL))
            shapes[o.shape_count++] = (struct whorl_shape){.name = p->name, .ndims = 1, .dims = {v->outer[i]}};
        else if (is_integer(p))
            scalars[o.scalar_count++] = (struct whorl_scalar){p->name, (double)v->values[i]};
        else if (p->kind == WHORL_CC_REAL)
            scalars[o.scalar_count++] = (struct whorl_scalar){p->name, args[i].real};
        if (v->uniform >> i & 1) uniform[o.uniform_count++] = p->name;
    }
    o.entry = WHORL_CC_ENTRY; // a variable of it may have the name of another function with parallel loops
    o.scalars = scalars;
    o.shapes = shapes;
    o.uniform = uniform;
    o.double_as_float = r->doubles == WHORL_CC_FLOATS;
    o.double_as_pair = r->doubles == WHORL_CC_PAIRS;
    o.target = whorl_device_get_info(device)->target;
    struct whorl_error err;
    if (whorl_compile(r->file, program, &o, &v->program, &err) == WHORL_OK) return true;
    const char *text = strstr(err.message, "error: ");
    return offload_refuse(state, "%s", text ? text + 7 : err.message);
}

// What the device holds of an array must be the bytes that the program has, or its doubles in another form.
static bool check_array(struct offload_state *state, struct offload_variant *v, int i,
                        const struct offload_array *array) {
    const struct whorl_param *p = whorl_program_param(v->program, (size_t)i);
    const struct whorl_cc_param *own = &state->region->params[i];
    size_t bytes = p ? whorl_dtype_size(p->dtype) : 0;
    for (uint32_t d = 0; p && d < p->ndims; d++)
        bytes *= p->dims[d];
    v->device_bytes[i] = bytes;
    bool halves = state->region->doubles == WHORL_CC_FLOATS && p && p->dtype == WHORL_F32 &&
                  bytes * 2 == array->bytes && !(own->flags & WHORL_CC_STRUCT);
    const unsigned *layout = own->layout;
    bool is_mixed = layout && array->bytes % layout[0] == 0 && array->bytes / layout[0] * layout[1] * 4 == bytes;
    v->form[i] = is_mixed                        ? OFFLOAD_MIXED
                 : halves                        ? OFFLOAD_FLOATS
                 : p && p->dtype == WHORL_F64    ? OFFLOAD_PAIRS
                 : p && offload_mixes_doubles(p) ? OFFLOAD_MIXED_PAIRS
                                                 : OFFLOAD_BYTES;
    if (!p || !bytes || (layout && !is_mixed) || (bytes != array->bytes && !halves && !is_mixed))
        return offload_refuse(state, "'%s' has %zu bytes, and %zu on the device", own->name, array->bytes, bytes);
    return true;
}

// What the compiler says of each kernel's indices.
static bool proves_indices(const whorl_program *program) {
    const char *line = whorl_program_text(program, WHORL_TEXT_EXPLAIN);
    bool any = false;
    while ((line = strstr(line, "bounds: the kernel"))) {
        const char *end = line + strcspn(line, "\n"), *proof = strstr(line, "the library adds no checks");
        const char *limits = strstr(line, " but "); // some are kept inside by force, or leave their rows
        if (!proof || proof > end || (limits && limits < end)) return false;
        any = true;
        line = end;
    }
    return any;
}

static bool open_session(struct offload_state *state, struct offload_variant *v) {
    struct whorl_error err;
    enum whorl_status status = whorl_session_create(v->device, v->program, WHORL_AUTO, &v->session, &err);
    offload_note_status(status, false);
    if (status == WHORL_OK) return true;
    offload_refuse_error(state, v->device, &err);
    snprintf(v->why, sizeof v->why, "%s", state->why);
    v->failed = true;
    return false;
}

static bool make(struct offload_state *state, struct offload_variant *v, whorl_device *device,
                 const struct whorl_cc_arg *args, const struct offload_array *arrays) {
    const struct whorl_cc_region *r = state->region;
    char *program = offload_merged_program(r, arrays, v->is_flat ? r->flat : r->program);
    v->device = device;
    bool ok = program ? compile(state, v, device, args, program) : offload_refuse(state, "out of memory");
    if (!ok && v->uniform) {
        state->no_uniform = true;
        v->uniform = 0;
        ok = compile(state, v, device, args, program);
    }
    free(program);
    for (int i = 0; i < r->param_count && !ok; i++)
        if (arrays[i].into == OFFLOAD_NOWHERE && strstr(state->why, "is null"))
            offload_refuse(state, "'%s' is NULL", r->params[i].name);
    if (ok && (!offload_find_written(v->program, v->written, r->param_count) ||
               !offload_find_reach(v->program, v->reach, r->param_count) ||
               !offload_find_orders(v->program, r->by_threads == 2, v->order, r->param_count)))
        ok = offload_refuse(state, "out of memory");
    for (int i = 0; i < r->param_count && ok; i++)
        if (is_array(&r->params[i]) && !arrays[i].into) ok = check_array(state, v, i, &arrays[i]);
    if (ok) {
        v->is_proven = proves_indices(v->program);
        v->is_slow = r->by_threads && offload_is_slow(v->program);
        v->has_asserts = offload_has_asserts(v->program);
        return open_session(state, v);
    }
    snprintf(v->why, sizeof v->why, "%s", state->why);
    v->failed = true;
    return false;
}

static struct offload_variant *new_variant(struct offload_state *state, const struct whorl_cc_arg *args,
                                           const struct offload_array *arrays) {
    const struct whorl_cc_region *r = state->region;
    struct offload_variant *v = calloc(1, sizeof *v);
    if (!v) return NULL;
    v->state = state;
    v->is_flat = state->is_flat;
    for (int i = 0; i < r->param_count; i++) {
        v->outer[i] = is_array(&r->params[i]) ? arrays[i].outer : 0;
        v->into[i] = arrays[i].into;
        if (is_integer(&r->params[i])) v->values[i] = value_of(r, args, arrays, i);
    }
    for (uint32_t k = 0; k < state->variant_count && !state->no_uniform; k++) {
        const struct offload_variant *old = state->variants[k];
        if (!state->leaves_room && !same_sizes(r, old, arrays)) continue; // else numbers change as sizes do
        for (int i = 0; i < r->param_count; i++)
            if (is_integer(&r->params[i]) && r->params[i].kind != WHORL_CC_WIDTH && old->values[i] != v->values[i])
                v->uniform |= (uint64_t)1 << i;
    }
    return v;
}

// Why there is no program where no other one is made: what kept the last ones from being it, if all were. That sizes or
// numbers change is a reason only where it was none of them.
static void refuse_more(struct offload_state *state, uint32_t most) {
    bool all_failed = state->variant_count > 0;
    for (uint32_t k = 0; k < state->variant_count; k++)
        all_failed = all_failed && state->variants[k]->failed;
    if (most < OFFLOAD_MADE && state->unproven[0]) // few are made only where a number has to be known
        offload_refuse(state, "%s", state->unproven);
    else if (all_failed)
        offload_refuse(state, "%s", state->variants[state->variant_count - 1]->why);
    else
        offload_refuse(state, "its sizes or numbers changed more than %u times", most);
}

struct offload_variant *offload_variant_for(struct offload_state *state, whorl_device *device,
                                            const struct whorl_cc_arg *args, const struct offload_array *arrays) {
    if (!are_exact(state, args)) return NULL;
    for (uint32_t k = 0; k < state->variant_count; k++) {
        struct offload_variant *v = state->variants[k];
        if (!fits(state->region, v, args, arrays)) continue;
        if (v->failed) {
            offload_refuse(state, "%s", v->why);
            return NULL;
        }
        if (v->session) return v;
        offload_places_fetch(NULL);
        return open_session(state, v) ? v : NULL;
    }
    uint32_t most = state->most_made && state->most_made < OFFLOAD_MADE ? state->most_made : OFFLOAD_MADE;
    if (state->leaves_room && most == OFFLOAD_MADE) most = OFFLOAD_MADE_ROOMY;
    if (state->made >= most) {
        refuse_more(state, most);
        return NULL;
    }
    if (!has_stack(state)) return NULL;
    struct offload_variant *v = new_variant(state, args, arrays);
    if (!v) {
        offload_refuse(state, "out of memory");
        return NULL;
    }
    if (state->variant_count == OFFLOAD_VARIANTS) { // the oldest one's memory is worth more
        offload_variant_drop(state->variants[0]);
        memmove(state->variants, state->variants + 1, (OFFLOAD_VARIANTS - 1) * sizeof(struct offload_variant *));
        state->variant_count--;
    }
    offload_places_fetch(NULL); // what may fail comes after what is at stake
    state->made++;
    state->variants[state->variant_count++] = v;
    return make(state, v, device, args, arrays) ? v : NULL;
}

void offload_variant_leave(struct offload_variant *v) {
    offload_places_forget(v);
    whorl_session_destroy(v->session);
    v->session = NULL;
    v->done = 0;
    for (int i = 0; i < OFFLOAD_PARAMS; i++) {
        v->held[i] = (struct offload_held){0};
        offload_guard_drop(v->guards[i]);
        v->guards[i] = NULL;
        v->has_no_guard[i] = false;
    }
}

void offload_variant_drop(struct offload_variant *v) {
    if (!v) return;
    offload_places_fetch(v);
    offload_places_forget(v);
    whorl_session_destroy(v->session);
    whorl_program_destroy(v->program);
    for (int i = 0; i < OFFLOAD_PARAMS; i++) {
        free(v->results[i]);
        free(v->sent[i]);
        free(v->edges[i]);
        offload_guard_drop(v->guards[i]);
    }
    free(v);
}
