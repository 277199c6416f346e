// One call on the device: arrays there, the run, arrays back; and from there to the program's own memory.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "offload/place.h"
#include "run/api/session_words.h"

static bool is_array(const struct whorl_cc_param *p) { return p->kind == WHORL_CC_ARRAY || p->kind == WHORL_CC_WHICH; }

// Memory for what a call moves; good until the next use.
static void *scratch(size_t bytes) {
    static void *memory;
    static size_t room;
    if (bytes > room) {
        free(memory);
        memory = malloc(bytes);
        room = memory ? bytes : 0;
    }
    return memory;
}

// Elements `first` and on of the program's array, in the form that the device has.
static bool convert(struct offload_state *state, const struct offload_variant *v, int i, void *to, const void *from,
                    size_t first, size_t count) {
    size_t done = offload_convert(v->form[i], v->written[i], to, from, count);
    if (done == count) return true;
    return offload_refuse(state, "element %zu of '%s' is %.3g, too small for a pair of floats", first + done,
                          state->region->params[i].name, ((const double *)from)[done]);
}

// ---- structs with doubles among others, which are pairs of floats there

static size_t row_of(const struct whorl_param *p) { return (size_t)p->dims[p->ndims - 1]; }
static const char *field_of(const struct whorl_param *p, size_t word) { return p->word_names[word % row_of(p)]; }

static bool convert_rows(struct offload_state *state, const struct offload_variant *v, int i, void *to,
                         const void *from, size_t first, size_t words) {
    const struct whorl_param *p = whorl_program_param(v->program, (size_t)i);
    size_t done = offload_rows_there(p, v->written[i], first, to, from, words);
    double value;
    if (done == words) return true;
    memcpy(&value, (const unsigned *)from + done, sizeof value);
    return offload_refuse(state, "'%s' in element %zu of '%s' is %.3g, too small for a pair of floats",
                          field_of(p, first + done), (first + done) / row_of(p), state->region->params[i].name, value);
}

// What is sent and comes back has its form already.
static bool has_pairs(const struct offload_variant *v, int i) {
    return v->form[i] == OFFLOAD_PAIRS || v->form[i] == OFFLOAD_MIXED_PAIRS;
}

// Results, and what was sent, of an array that is copied at every call.
static bool has_room(struct offload_state *state, struct offload_variant *v, int i) {
    bool keeps = v->written[i] || v->form[i];
    if (v->written[i] && !v->results[i]) v->results[i] = malloc(v->device_bytes[i]);
    if (keeps && !v->sent[i]) v->sent[i] = malloc(v->device_bytes[i]);
    if ((!v->written[i] || v->results[i]) && (!keeps || v->sent[i])) return true;
    return offload_refuse(state, "out of memory");
}

static bool send(struct offload_state *state, struct offload_variant *v, int i, const struct offload_array *array) {
    struct whorl_error err;
    if (!has_room(state, v, i)) return false;
    char *gathered = array->rows ? scratch(array->bytes) : NULL;
    if (array->rows && !gathered) return offload_refuse(state, "out of memory");
    if (array->rows) offload_gather(array->rows, gathered);
    const void *base = gathered ? gathered : array->base, *data = base;
    if (v->form[i] == OFFLOAD_MIXED) {
        const unsigned *layout = state->region->params[i].layout;
        offload_mixed_there(layout, v->sent[i], base, array->bytes / layout[0]);
        data = v->sent[i];
    } else if (v->form[i] == OFFLOAD_MIXED_PAIRS) {
        if (!convert_rows(state, v, i, v->sent[i], base, 0, array->bytes / 4)) return false;
        data = v->sent[i];
    } else if (v->form[i]) {
        if (!convert(state, v, i, v->sent[i], base, 0, array->bytes / sizeof(double))) return false;
        data = v->sent[i];
    } else if (v->written[i]) {
        data = memcpy(v->sent[i], base, array->bytes);
    }
    state->bytes_there += v->device_bytes[i];
    enum whorl_status status = has_pairs(v, i)
                                   ? run_session_write_words(v->session, (size_t)i, 0, data, v->device_bytes[i], &err)
                                   : whorl_session_write(v->session, (size_t)i, data, v->device_bytes[i], &err);
    if (status == WHORL_OK) return true;
    return offload_refuse_error(state, v->device, &err);
}

static bool fetch(struct offload_state *state, struct offload_variant *v, int i) {
    struct whorl_error err;
    state->bytes_back += v->device_bytes[i];
    enum whorl_status status =
        has_pairs(v, i) ? run_session_read_words(v->session, (size_t)i, 0, v->results[i], v->device_bytes[i], &err)
                        : whorl_session_read(v->session, (size_t)i, v->results[i], v->device_bytes[i], &err);
    if (status != WHORL_OK) return offload_refuse_error(state, v->device, &err);
    const char *name = state->region->params[i].name;
    if (v->form[i] == OFFLOAD_MIXED_PAIRS) {
        const struct whorl_param *p = whorl_program_param(v->program, (size_t)i);
        size_t words = v->device_bytes[i] / 4, bad = offload_rows_left_range(p, v->results[i], v->sent[i], words);
        return bad == words || offload_refuse(state, "'%s' in element %zu of '%s' leaves the range of pairs of floats",
                                              field_of(p, bad), bad / row_of(p), name);
    }
    size_t count = v->form[i] == OFFLOAD_PAIRS ? v->device_bytes[i] / sizeof(double) : 0;
    size_t bad = offload_left_range(v->results[i], v->sent[i], count);
    if (bad == count) return true;
    return offload_refuse(state, "element %zu of '%s' leaves the range of pairs of floats", bad, name);
}

// ---- arrays whose copies stay ---------------------------------------------------------------------------------------

// Bytes of the program's memory for one on the device.
static size_t scale_of(const struct offload_variant *v, int i) { return v->form[i] == OFFLOAD_FLOATS ? 2 : 1; }

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

// The part of the array that is in whole pages of its place.
static size_t pages_begin(const struct offload_array *a) { return (size_t)(a->place->from - a->base); }
static size_t pages_end(const struct offload_array *a) { return least((size_t)(a->place->to - a->base), a->bytes); }

static bool write_part(struct offload_state *state, struct offload_variant *v, int i, const struct offload_array *a,
                       size_t from, size_t to) {
    struct whorl_error err;
    size_t scale = scale_of(v, i), bytes = (to - from) / scale;
    const void *data = a->base + from;
    if (from == to) return true;
    if (v->form[i]) {
        void *converted = scratch(bytes);
        if (!converted) return offload_refuse(state, "out of memory");
        if (v->form[i] == OFFLOAD_MIXED_PAIRS
                ? !convert_rows(state, v, i, converted, data, from / 4, (to - from) / 4)
                : !convert(state, v, i, converted, data, from / sizeof(double), (to - from) / sizeof(double)))
            return false;
        data = converted;
    }
    state->bytes_there += bytes;
    if (run_session_write_words(v->session, (size_t)i, from / scale, data, bytes, &err) == WHORL_OK) return true;
    return offload_refuse_error(state, v->device, &err);
}

bool offload_read_part(struct offload_variant *v, int i, size_t skip, size_t bytes, void *to, char *why, size_t size) {
    struct whorl_error err = {0};
    size_t scale = scale_of(v, i), all = v->device_bytes[i] * scale;
    if (skip >= all) return true;
    bytes = least(bytes, all - skip) / scale;
    void *data = v->form[i] ? scratch(bytes) : to;
    if (!data) snprintf(err.message, sizeof err.message, "out of memory");
    bool ok = data && run_session_read_words(v->session, (size_t)i, skip / scale, data, bytes, &err) == WHORL_OK;
    if (!ok) offload_refuse_error(v->state, v->device, &err);
    snprintf(why, size, "%.*s", (int)strcspn(err.message, "\n"), err.message);
    if (ok && v->form[i] == OFFLOAD_MIXED_PAIRS)
        offload_rows_update_own(whorl_program_param(v->program, (size_t)i), skip / 4, to, data, bytes / 4);
    else if (ok && v->form[i])
        offload_update_own(v->form[i], to, data, bytes / offload_element_bytes(v->form[i]));
    v->state->bytes_back += bytes;
    return ok;
}

static bool is_held(const struct offload_variant *v, int i, const struct offload_place *p) {
    return v->held[i].place == p->serial && v->held[i].version == p->version;
}

// Both devices' arrays have the bytes in one form.
static bool is_alike(const struct offload_variant *v, int i, const struct offload_variant *h, int k) {
    if (h->device_bytes[k] != v->device_bytes[i] || h->form[k] != v->form[i]) return false;
    return v->form[i] != OFFLOAD_MIXED_PAIRS || offload_are_rows_alike(whorl_program_param(v->program, (size_t)i),
                                                                       whorl_program_param(h->program, (size_t)k));
}

// Hands a place's bytes over from the session that has them. A region that only reads them gets a copy, so that both
// have them; else the two arrays change places, and what was here is there.
static bool hand_over(struct offload_variant *v, int i, const struct offload_array *arrays) {
    struct offload_place *p = arrays[i].place;
    struct offload_variant *h = p->holder;
    int k = p->holder_param;
    if (h == v && arrays[k].place == p) return false; // two parameters need it
    if (!h || !is_held(h, k, p) || !is_alike(v, i, h, k)) return false;
    bool is_last = offload_places_need(v, i); // of another place
    if (h != v && !v->written[i] && !is_last) {
        if (whorl_session_copy(v->session, (size_t)i, h->session, (size_t)k, NULL) != WHORL_OK) return false;
        v->held[i] = (struct offload_held){p->serial, p->version};
        return true;
    }
    if (whorl_session_exchange(v->session, (size_t)i, h->session, (size_t)k, NULL) == WHORL_OK) {
        offload_places_exchange(v, i, h, k);
        return true;
    }
    if (is_last || h == v || whorl_session_copy(v->session, (size_t)i, h->session, (size_t)k, NULL) != WHORL_OK)
        return false;
    v->held[i] = (struct offload_held){p->serial, p->version};
    return true;
}

// The device's copy is that of the program.
static bool make_current(struct offload_state *state, struct offload_variant *v, int i,
                         const struct offload_array *arrays) {
    const struct offload_array *a = &arrays[i];
    struct offload_place *p = a->place;
    if (!is_held(v, i, p) && !hand_over(v, i, arrays)) {
        offload_place_fetch(p);
        offload_places_fetch_from(v, i);
        v->held[i] = (struct offload_held){0};
        if (!write_part(state, v, i, a, pages_begin(a), pages_end(a))) return false;
        v->held[i] = (struct offload_held){p->serial, p->version};
        p->holder = v;
        p->holder_param = i;
    }
    return write_part(state, v, i, a, 0, pages_begin(a)) && write_part(state, v, i, a, pages_end(a), a->bytes);
}

// What it was before the run is kept, as the run may leave what nobody may see.
static bool is_guarded(const struct offload_variant *v, int i) {
    return v->written[i] && (v->state->region->doubles == WHORL_CC_PAIRS || v->has_asserts);
}

// Pairs in places are finite: what comes from the program is looked at here, and results by their guards.
static bool can_stay(struct offload_variant *v, int i, const struct offload_array *a) {
    struct offload_place *p = a->place;
    const struct offload_variant *h = p->holder;
    if (is_guarded(v, i) && !offload_guard_has(v, i)) return false;
    if (!has_pairs(v, i)) return true;
    if (p->host != OFFLOAD_HOST_OWN && h && is_held(h, p->holder_param, p) && is_alike(v, i, h, p->holder_param))
        return true;
    offload_place_fetch(p);
    if (v->form[i] == OFFLOAD_MIXED_PAIRS)
        return offload_rows_are_plain(whorl_program_param(v->program, (size_t)i), a->base, a->bytes / 4);
    return offload_are_plain((const void *)a->base, a->bytes / sizeof(double));
}

// Which arrays have places. What has none is the program's own while the region runs.
static void find_places(const struct offload_state *state, struct offload_variant *v, struct offload_array *arrays) {
    const struct whorl_cc_region *r = state->region;
    for (int i = 0; i < r->param_count; i++) {
        const struct whorl_param *p = whorl_program_param(v->program, (size_t)i);
        bool can = r->params[i].kind == WHORL_CC_ARRAY && !(r->params[i].flags & WHORL_CC_CELL) &&
                   whorl_dtype_size(p->dtype) >= 4 && !arrays[i].into && !arrays[i].rows && v->form[i] != OFFLOAD_MIXED;
        if (can) arrays[i].place = offload_place_of(arrays[i].base, arrays[i].bytes);
        if (arrays[i].place && !can_stay(v, i, &arrays[i])) arrays[i].place = NULL;
    }
    for (int i = 0; i < r->param_count; i++) // parts of one memory, each of which the device has alone
        for (int k = 0; k < i; k++)
            if ((arrays[i].place || arrays[k].place) && arrays[i].bytes && arrays[k].bytes &&
                (v->written[i] || v->written[k]) && offload_share_memory(&arrays[i], &arrays[k]))
                arrays[i].place = arrays[k].place = NULL;
    for (int i = 0; i < r->param_count; i++)
        if (!arrays[i].place) offload_own_array(&arrays[i]);
    for (int i = 0; i < r->param_count; i++) {
        struct offload_place *p = arrays[i].place;
        if (p && p->host == OFFLOAD_HOST_OWN && !offload_place_share(p)) arrays[i].place = NULL;
    }
}

// A run writes where the newest bytes are. Where it might not end well, the program has to have them, too: a program
// that never ran, and one whose pointers may end where no value can be given back.
static void be_careful(const struct offload_state *state, const struct offload_variant *v,
                       const struct offload_array *arrays) {
    const struct whorl_cc_region *r = state->region;
    bool may_fail = false;
    for (int i = 0; i < r->param_count; i++)
        may_fail = may_fail || (r->params[i].kind == WHORL_CC_WHICH && !(r->params[i].flags & WHORL_CC_SWAPS));
    if (v->done == 0) offload_places_fetch(NULL);
    for (int i = 0; i < r->param_count; i++)
        if (may_fail && v->written[i] && arrays[i].place) offload_place_fetch(arrays[i].place);
}

// The run failed: what it wrote is not known, but for arrays that are as they were before.
static bool spoil(const struct offload_state *state, struct offload_variant *v, const struct offload_array *arrays,
                  const bool *restored) {
    for (int i = 0; i < state->region->param_count; i++) {
        if (!arrays[i].place || !v->written[i] || restored[i]) continue;
        v->held[i] = (struct offload_held){0};
        offload_place_spoiled(arrays[i].place, v, i, state->why);
    }
    return false;
}

// A pointer that ended where none of the region's pointers began has no value that could be given back.
static bool check_pointers(struct offload_state *state, const struct offload_variant *v, int i) {
    const int *which = v->results[i];
    for (size_t k = 0; k < v->device_bytes[i] / sizeof *which; k++)
        if (which[k] < 0) return offload_refuse(state, "a pointer ends inside of an array");
    return true;
}

static bool run(struct offload_state *state, struct offload_variant *v, const struct whorl_cc_arg *args,
                const struct offload_array *arrays) {
    const struct whorl_cc_region *r = state->region;
    struct whorl_scalar scalars[OFFLOAD_PARAMS];
    struct whorl_run_options o = WHORL_RUN_OPTIONS_INIT;
    for (int i = 0; i < r->param_count; i++) {
        if (r->params[i].kind == WHORL_CC_REAL)
            scalars[o.scalar_count++] = (struct whorl_scalar){r->params[i].name, args[i].real};
        else if (v->uniform >> i & 1)
            scalars[o.scalar_count++] = (struct whorl_scalar){
                r->params[i].name, (double)(r->params[i].kind == WHORL_CC_OFFSET ? arrays[i - 1].at : args[i].integer)};
    }
    o.scalars = scalars;
    o.print = offload_hear;
    o.print_user = &state->printed;
    state->printed.size = state->printed.is_lost = 0;
    struct whorl_stats stats;
    struct whorl_error err;
    enum whorl_status status = whorl_session_run(v->session, 1, &o, &stats, &err);
    offload_note_status(status, status == WHORL_OK && stats.fell_back);
    offload_note_assert(state, status == WHORL_SOURCE);
    bool is_heard = status != WHORL_OK || offload_is_heard(state, v->session);
    if (status == WHORL_OK && is_heard) {
        state->dispatches += stats.dispatches;
        return true;
    }
    if (is_heard) offload_refuse_error(state, v->device, &err);
    if (status == WHORL_SOURCE) return false; // an assert: the CPU says it better
    v->failed = true;
    memcpy(v->why, state->why, sizeof v->why);
    return false;
}

// The ends of an array that are not in whole pages: as they were, and behind it as they are.
static bool keep_edges(struct offload_state *state, struct offload_variant *v, int i, const struct offload_array *a) {
    size_t head = pages_begin(a), tail = a->bytes - pages_end(a);
    if (head + tail == 0) return true;
    if (v->edge_bytes[i] < head + tail) {
        free(v->edges[i]);
        v->edges[i] = malloc(2 * (head + tail));
        v->edge_bytes[i] = v->edges[i] ? head + tail : 0;
        if (!v->edges[i]) return offload_refuse(state, "out of memory");
    }
    memcpy(v->edges[i], a->base, head);
    memcpy(v->edges[i] + head, a->base + pages_end(a), tail);
    return true;
}
static bool fetch_edges(struct offload_state *state, struct offload_variant *v, int i, const struct offload_array *a) {
    size_t head = pages_begin(a), tail = a->bytes - pages_end(a);
    char *got = v->edges[i] + head + tail;
    if (head + tail) memcpy(got, v->edges[i], head + tail);
    return (!head || offload_read_part(v, i, 0, head, got, state->why, sizeof state->why)) &&
           (!tail || offload_read_part(v, i, pages_end(a), tail, got + head, state->why, sizeof state->why));
}

static bool prepare(struct offload_state *state, struct offload_variant *v, struct offload_array *arrays, bool stays,
                    bool *out_guarded) {
    const struct whorl_cc_region *r = state->region;
    if (stays) {
        find_places(state, v, arrays);
        be_careful(state, v, arrays);
    }
    for (int i = 0; i < r->param_count; i++) {
        if (!is_array(&r->params[i]) || arrays[i].into) continue;
        if (!arrays[i].place && !send(state, v, i, &arrays[i])) return false;
        if (!arrays[i].place) continue;
        if (!make_current(state, v, i, arrays)) return false;
        if (v->written[i] && !keep_edges(state, v, i, &arrays[i])) return false;
        out_guarded[i] = is_guarded(v, i);
    }
    for (int i = 0; i < r->param_count; i++)
        if (out_guarded[i] && !offload_guard_keep(v, i)) return offload_refuse(state, "the device copies no array");
    return true;
}

// What is copied, back from the device. Pointers are among it.
static bool fetch_copied(struct offload_state *state, struct offload_variant *v, const struct offload_array *arrays) {
    const struct whorl_cc_region *r = state->region;
    for (int i = 0; i < r->param_count; i++) {
        if (!v->written[i] || arrays[i].place) continue;
        if (!fetch(state, v, i) || (r->params[i].kind == WHORL_CC_WHICH && !check_pointers(state, v, i))) return false;
    }
    return true;
}

bool offload_variant_run(struct offload_state *state, struct offload_variant *v, const struct whorl_cc_arg *args,
                         struct offload_array *arrays, bool stays) {
    bool guarded[OFFLOAD_PARAMS] = {false}, none[OFFLOAD_PARAMS] = {false};
    if (!prepare(state, v, arrays, stays, guarded)) return false;
    if (!run(state, v, args, arrays))
        return spoil(state, v, arrays, offload_guards_restore(v, guarded) == OFFLOAD_BAD ? guarded : none);
    bool good = fetch_copied(state, v, arrays);
    enum offload_verdict verdict = good ? offload_guards_look(state, v, guarded) : offload_guards_restore(v, guarded);
    if (verdict != OFFLOAD_GOOD) return spoil(state, v, arrays, verdict == OFFLOAD_BAD ? guarded : none);
    for (int i = 0; i < state->region->param_count; i++)
        if (v->written[i] && arrays[i].place && !fetch_edges(state, v, i, &arrays[i]))
            return spoil(state, v, arrays, none);
    return true;
}

// Only bytes that the device changed: what another thread did to the array meanwhile stays, and memory that may not be
// written is not.
static void commit_bytes(char *to, const char *from, const char *sent, size_t bytes) {
    enum { PIECE = 256 };
    for (size_t at = 0; at < bytes; at += PIECE) {
        size_t size = bytes - at < PIECE ? bytes - at : PIECE;
        if (memcmp(sent + at, from + at, size) == 0) continue;
        for (size_t i = at; i < at + size; i++)
            if (sent[i] != from[i]) to[i] = from[i];
    }
}

static void commit_copied(struct offload_variant *v, int i, char *to, size_t skip, size_t bytes) {
    const unsigned *layout = v->state->region->params[i].layout;
    if (v->form[i] == OFFLOAD_MIXED) {
        size_t word = skip / layout[0] * layout[1];
        offload_mixed_back(layout, to, (const unsigned *)v->results[i] + word, (const unsigned *)v->sent[i] + word,
                           bytes / layout[0]);
        return;
    }
    if (v->form[i] == OFFLOAD_MIXED_PAIRS) {
        offload_rows_back(whorl_program_param(v->program, (size_t)i), to, (const char *)v->results[i] + skip,
                          (const char *)v->sent[i] + skip, bytes / 4);
        return;
    }
    size_t scale = scale_of(v, i);
    const char *got = (const char *)v->results[i] + skip / scale, *sent = (const char *)v->sent[i] + skip / scale;
    if (v->form[i])
        offload_update(v->form[i], (void *)to, got, sent, bytes / sizeof(double));
    else
        commit_bytes(to, got, sent, bytes);
}

static void commit_rows(struct offload_variant *v, int i, const struct offload_rows *rows) {
    for (size_t r = 0; r < rows->count; r++)
        commit_copied(v, i, rows->at[r], r * rows->width * rows->unit, rows->bytes[r] / rows->unit * rows->unit);
}

static void commit_place(struct offload_variant *v, int i, const struct offload_array *a) {
    size_t head = pages_begin(a), tail = a->bytes - pages_end(a);
    const char *sent = v->edges[i], *got = sent + head + tail;
    if (head) commit_bytes(a->base, got, sent, head);
    if (tail) commit_bytes(a->base + pages_end(a), got + head, sent + head, tail);
    offload_place_written(a->place, v, i);
}

void offload_commit(struct offload_state *state, struct offload_variant *v, const struct offload_array *arrays) {
    const struct whorl_cc_region *r = state->region;
    for (int i = 0; i < r->param_count; i++) {
        if (!v->written[i]) continue;
        if (arrays[i].place)
            commit_place(v, i, &arrays[i]);
        else if (arrays[i].rows)
            commit_rows(v, i, arrays[i].rows);
        else
            commit_copied(v, i, arrays[i].base, 0, arrays[i].bytes);
    }
}
