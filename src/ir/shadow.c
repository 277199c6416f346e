// Shadow memory. An element remembers its last writer and two readers of different threads: with two, one of them is
// another thread than any writer. It does so once for each way of access (plain, atomic, under a lock), because who
// races with whom depends on both. Nothing is cleared at a barrier: actors from before it have smaller numbers.
//
// What counts is who accesses, not the values: two writes of one value race, too, and the report says that they are
// such.
#include "ir/shadow.h"

#include <stdio.h>
#include <string.h>

struct marks {
    uint64_t writer, readers[2];
    ir_stmt write_at, read_at[2];
    uint32_t lock;
};
struct passes { // of one `simd` loop, from 1
    uint64_t simd, wrote, read;
    ir_stmt write_at, read_at;
};
struct cell {
    struct marks marks[IR_ACCESS_HOWS];
    struct passes passes;
};
struct ir_shadow {
    struct cell *cells;
};

void ir_races_deinit(struct ir_races *r) {
    for (uint32_t i = 0; i < r->shadow_count; i++)
        base_heap_free(r->shadows[i].cells);
    base_heap_free(r->shadows);
    base_heap_free(r->actors);
    r->shadows = NULL;
    r->actors = NULL;
    r->shadow_count = r->actor_count = r->actor_cap = 0;
}

static struct cell *cell_of(struct ir_races *r, const struct ir_access *a) {
    if (!r->shadows) {
        uint32_t count = a->u->array_count + a->u->var_count;
        r->shadows = base_heap_alloc(count * sizeof *r->shadows);
        if (!r->shadows) return NULL;
        memset(r->shadows, 0, count * sizeof *r->shadows);
        r->shadow_count = count;
    }
    struct ir_shadow *s = &r->shadows[a->array ? a->array : a->u->array_count + a->var];
    if (!s->cells) {
        size_t bytes;
        if (a->count > SIZE_MAX || !base_mul_size((size_t)a->count, sizeof *s->cells, &bytes)) return NULL;
        s->cells = base_heap_alloc(bytes);
        if (!s->cells) return NULL;
        memset(s->cells, 0, bytes);
    }
    return &s->cells[a->element];
}

// ---- actors ---------------------------------------------------------------------------------------------------------

bool ir_races_add_actors(struct ir_races *r, const struct ir_actors *actors) {
    if (r->actor_count == r->actor_cap) {
        uint32_t cap = r->actor_cap ? 2 * r->actor_cap : 16;
        struct ir_actors *more = base_heap_alloc(cap * sizeof *more);
        if (!more) return false;
        if (r->actor_count) memcpy(more, r->actors, r->actor_count * sizeof *more);
        base_heap_free(r->actors);
        r->actors = more;
        r->actor_cap = cap;
    }
    r->actors[r->actor_count++] = *actors;
    return true;
}

static const struct ir_actors *actors_of(const struct ir_races *r, uint64_t number) {
    uint32_t low = 0, high = r->actor_count; // the last group that begins at or before it
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (r->actors[middle].first <= number)
            low = middle;
        else
            high = middle;
    }
    return &r->actors[low];
}

static bool same_thread(const struct ir_races *r, uint64_t a, uint64_t b) {
    const struct ir_actors *x = actors_of(r, a), *y = actors_of(r, b);
    if (x->kind == IR_ACTOR_ALL || y->kind == IR_ACTOR_ALL) return false;
    if (a == b) return true;
    uint64_t i = a - x->first, k = b - y->first;
    if (x->kind == IR_ACTOR_LOOP && y->kind == IR_ACTOR_LOOP)
        return x != y && !x->dynamic && !y->dynamic && x->count == y->count && i == k;
    bool bound = x->kind == IR_ACTOR_THREADS || x->kind == IR_ACTOR_MASTER;
    return bound && (y->kind == IR_ACTOR_THREADS || y->kind == IR_ACTOR_MASTER) && i == k;
}

// Another thread than the access's may have done it since the last barrier.
static bool is_other(const struct ir_races *r, const struct ir_access *a, uint64_t actor) {
    return actor > r->met && a->actor && !same_thread(r, a->actor, actor);
}

// ---- reports --------------------------------------------------------------------------------------------------------

__attribute__((format(printf, 2, 3))) static void say(struct ir_races *r, const char *format, ...) {
    size_t used = strlen(r->text);
    va_list args;
    va_start(args, format);
    vsnprintf(r->text + used, sizeof r->text - used, format, args);
    va_end(args);
}

static void say_value(struct ir_races *r, const struct ir_unit *u, ir_var var, uint32_t value) {
    if (u->vars[var].type == IR_I32)
        say(r, "%s=%d", u->vars[var].name, (int32_t)value);
    else
        say(r, "%s=%u", u->vars[var].name, value);
}

static void say_iteration(struct ir_races *r, const struct ir_unit *u, const struct ir_actors *actors, uint64_t index) {
    const struct ir_stmt_node *n = &u->stmts[actors->loop];
    uint64_t below = actors->count;
    say(r, "iteration");
    for (uint32_t d = 0; d < n->parfor.dim_count; d++) {
        const struct ir_dim *dim = &u->dims[n->parfor.dims + d];
        below /= actors->trips[d];
        say(r, d ? ", " : " ");
        say_value(r, u, dim->var, actors->lo[d] + (uint32_t)(index / below) * (uint32_t)dim->step);
        index %= below;
    }
}

static void say_actor(struct ir_races *r, const struct ir_unit *u, uint64_t number) {
    const struct ir_actors *actors = actors_of(r, number);
    switch (actors->kind) {
    case IR_ACTOR_LOOP: say_iteration(r, u, actors, number - actors->first); break;
    case IR_ACTOR_THREADS: say(r, "thread %llu", (unsigned long long)(number - actors->first)); break;
    case IR_ACTOR_ONE: say(r, "the thread of a 'single'"); break;
    case IR_ACTOR_MASTER: say(r, "thread 0"); break;
    default: say(r, "every thread of the region");
    }
}

static void say_place(struct ir_races *r, const struct ir_access *a, ir_stmt s) {
    say(r, "%s", base_place(a->u->cx, a->u->stmts[s].loc));
}

static void say_element(struct ir_races *r, const struct ir_access *a) {
    if (!a->array) {
        say(r, "%s", a->u->vars[a->var].name);
        return;
    }
    const struct ir_array_info *info = &a->u->arrays[a->array];
    uint64_t below = a->count, rest = a->element;
    say(r, "%s", info->name);
    for (uint32_t d = 0; d < info->ndims; d++) {
        below /= a->dims[d];
        say(r, "[%llu]", (unsigned long long)(rest / below));
        rest %= below;
    }
}

// False: such a race was described already, or too many were.
static bool is_new(struct ir_races *r, const struct ir_access *a, ir_stmt other_at) {
    r->count++;
    for (uint32_t i = 0; i < r->described; i++)
        if (r->pairs[i][0] == a->at && r->pairs[i][1] == other_at) return false;
    if (r->described == IR_MAX_RACES) return false;
    r->pairs[r->described][0] = a->at;
    r->pairs[r->described++][1] = other_at;
    if (*r->text) say(r, "\n");
    say_place(r, a, a->at);
    say(r, ": race: ");
    return true;
}

static void report(struct ir_races *r, const struct ir_access *a, const char *now, const char *before, uint64_t other,
                   ir_stmt other_at) {
    if (!is_new(r, a, other_at)) return;
    say_actor(r, a->u, a->actor);
    say(r, " %s ", now);
    say_element(r, a);
    say(r, ", which ");
    say_actor(r, a->u, other);
    say(r, " %s at ", before);
    say_place(r, a, other_at);
    if (!a->changes && *now == 'w' && *before == 'w')
        say(r, " (the same value, but OpenMP makes no exception for that)");
}

static void report_all(struct ir_races *r, const struct ir_access *a, bool updates) {
    if (!is_new(r, a, a->at)) return;
    say(r, "every thread of the region %s ", updates ? "updates" : "writes");
    say_element(r, a);
    say(r, " here: put it under 'single', or 'atomic'");
}

static void report_passes(struct ir_races *r, const struct ir_access *a, const char *now, const char *before,
                          uint64_t pass, ir_stmt other_at) {
    if (!is_new(r, a, other_at)) return;
    say(r, "pass ");
    say_value(r, a->u, a->pass_var, a->pass_value);
    say(r, " of a 'simd' loop %s ", now);
    say_element(r, a);
    say(r, ", which the pass %llu before %s at ", (unsigned long long)(a->pass - pass), before);
    say_place(r, a, other_at);
}

void ir_races_report_pass(struct ir_races *r, const struct ir_access *a, ir_stmt wrote_at) {
    if (!is_new(r, a, wrote_at)) return;
    say(r, "pass ");
    say_value(r, a->u, a->pass_var, a->pass_value);
    say(r, " of a 'simd' loop reads ");
    say_element(r, a);
    say(r, ", which an earlier pass set at ");
    say_place(r, a, wrote_at);
}

// ---- accesses -------------------------------------------------------------------------------------------------------

static bool conflicts(const struct ir_access *a, uint32_t how, const struct marks *m) {
    if (how == IR_ACCESS_ATOMIC && a->how == IR_ACCESS_ATOMIC) return false;
    return how != IR_ACCESS_LOCKED || a->how != IR_ACCESS_LOCKED || a->lock != m->lock;
}

// An access that sees the element's value, against what was done one way.
static bool look_before_read(struct ir_races *r, const struct ir_access *a, const struct marks *m, bool by_atomic,
                             bool updates) {
    if (!is_other(r, a, m->writer)) return false;
    report(r, a, updates ? "updates" : "reads", by_atomic ? "updated" : "wrote", m->writer, m->write_at);
    return true;
}

static void look_before_write(struct ir_races *r, const struct ir_access *a, const struct marks *m, bool by_atomic,
                              bool updates) {
    const char *now = updates ? "updates" : "writes";
    if (is_other(r, a, m->writer)) report(r, a, now, by_atomic ? "updated" : "wrote", m->writer, m->write_at);
    for (uint32_t i = 0; i < 2; i++)
        if (is_other(r, a, m->readers[i])) {
            report(r, a, now, "read", m->readers[i], m->read_at[i]);
            return;
        }
}

// Passes run in order here, so the last one that touched an element is the nearest.
static void look_at_passes(struct ir_races *r, const struct ir_access *a, struct passes *p, bool writes, bool updates) {
    if (p->simd != a->simd) *p = (struct passes){.simd = a->simd};
    bool wrote = p->wrote && p->wrote != a->pass && (!a->safelen || a->pass - p->wrote < a->safelen);
    bool read = p->read && p->read != a->pass && (!a->safelen || a->pass - p->read < a->safelen);
    const char *now = updates ? "updates" : writes ? "writes" : "reads";
    if (wrote)
        report_passes(r, a, now, "wrote", p->wrote, p->write_at);
    else if (writes && read)
        report_passes(r, a, now, "read", p->read, p->read_at);
    if (writes) {
        p->wrote = a->pass;
        p->write_at = a->at;
    } else {
        p->read = a->pass;
        p->read_at = a->at;
    }
}

bool ir_shadow_read(struct ir_races *r, const struct ir_access *a) {
    struct cell *c = cell_of(r, a);
    if (!c) return false;
    if (a->simd && a->how == IR_ACCESS_PLAIN) look_at_passes(r, a, &c->passes, false, false);
    if (!a->actor) return true;
    for (uint32_t how = 0; how < IR_ACCESS_HOWS; how++)
        if (conflicts(a, how, &c->marks[how])) look_before_read(r, a, &c->marks[how], how == IR_ACCESS_ATOMIC, false);
    struct marks *m = &c->marks[a->how];
    uint32_t slot = is_other(r, a, m->readers[0]) ? 1 : 0;
    m->readers[slot] = a->actor;
    m->read_at[slot] = a->at;
    m->lock = a->lock;
    return true;
}

bool ir_shadow_write(struct ir_races *r, const struct ir_access *a, bool updates) {
    struct cell *c = cell_of(r, a);
    if (!c) return false;
    if (a->simd && a->how == IR_ACCESS_PLAIN) look_at_passes(r, a, &c->passes, true, updates);
    if (!a->actor) return true;
    bool all = actors_of(r, a->actor)->kind == IR_ACTOR_ALL;
    if (all && a->how == IR_ACCESS_PLAIN) report_all(r, a, updates);
    for (uint32_t how = 0; how < IR_ACCESS_HOWS; how++) {
        struct marks *m = &c->marks[how];
        if (!conflicts(a, how, m) || (all && m->writer == a->actor)) continue;
        if (!(updates && look_before_read(r, a, m, how == IR_ACCESS_ATOMIC, true)))
            look_before_write(r, a, m, how == IR_ACCESS_ATOMIC, updates);
    }
    struct marks *m = &c->marks[a->how];
    m->writer = a->actor;
    m->write_at = a->at;
    m->lock = a->lock;
    return true;
}
