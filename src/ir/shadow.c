// Shadow memory. An element remembers its last writer and two different readers: with two, one of them is another
// iteration than any writer. Nothing is cleared when a loop begins, because iterations of earlier loops have smaller
// numbers than its start.
//
// A read and a write of different iterations race whatever is written. Of two writes the second must change the value:
// that several iterations write one value is taken, as by the compiler (pass/analysis/race.c). Of arrays that atomics
// touch, an element remembers twice as much: what plain accesses did, which races with everybody, and what atomics did,
// which races with plain accesses alone.
#include "ir/shadow.h"

#include <stdio.h>
#include <string.h>

struct marks {
    uint64_t writer, readers[2];
    ir_stmt write_at, read_at[2];
};
struct ir_shadow {
    struct marks *marks; // of an element by plain accesses, by atomics; without the second where there are none
};

void ir_races_deinit(struct ir_races *r) {
    for (uint32_t i = 0; i < r->shadow_count; i++)
        base_heap_free(r->shadows[i].marks);
    base_heap_free(r->shadows);
    r->shadows = NULL;
    r->shadow_count = 0;
}

static uint32_t kinds_of(const struct ir_access *a) { return a->u->arrays[a->array].atomic ? 2 : 1; }

// The element's marks of plain accesses; those of atomics stand behind them.
static struct marks *marks_of(struct ir_races *r, const struct ir_access *a) {
    if (!r->shadows) {
        r->shadows = base_heap_alloc(a->u->array_count * sizeof *r->shadows);
        if (!r->shadows) return NULL;
        memset(r->shadows, 0, a->u->array_count * sizeof *r->shadows);
        r->shadow_count = a->u->array_count;
    }
    struct ir_shadow *s = &r->shadows[a->array];
    if (!s->marks) {
        size_t bytes;
        if (a->count > SIZE_MAX || !base_mul_size((size_t)a->count, kinds_of(a) * sizeof *s->marks, &bytes))
            return NULL;
        s->marks = base_heap_alloc(bytes);
        if (!s->marks) return NULL;
        memset(s->marks, 0, bytes);
    }
    return &s->marks[a->element * kinds_of(a)];
}

// ---- reports --------------------------------------------------------------------------------------------------------

__attribute__((format(printf, 2, 3))) static void say(struct ir_races *r, const char *format, ...) {
    size_t used = strlen(r->text);
    va_list args;
    va_start(args, format);
    vsnprintf(r->text + used, sizeof r->text - used, format, args);
    va_end(args);
}

static void say_iteration(struct ir_races *r, const struct ir_access *a, uint64_t iteration) {
    const struct ir_stmt_node *n = &a->u->stmts[a->parfor];
    uint64_t index = iteration - a->start - 1, below = 1;
    for (uint32_t d = 0; d < n->parfor.dim_count; d++)
        below *= a->trips[d];
    for (uint32_t d = 0; d < n->parfor.dim_count; d++) {
        const struct ir_dim *dim = &a->u->dims[n->parfor.dims + d];
        below /= a->trips[d];
        uint32_t value = a->lo[d] + (uint32_t)(index / below) * (uint32_t)dim->step;
        index %= below;
        const char *name = a->u->vars[dim->var].name;
        if (a->u->vars[dim->var].type == IR_I32)
            say(r, "%s%s=%d", d ? ", " : " ", name, (int32_t)value);
        else
            say(r, "%s%s=%u", d ? ", " : " ", name, value);
    }
}

static void say_place(struct ir_races *r, const struct ir_access *a, ir_stmt s) {
    say(r, "%s", base_place(a->u->cx, a->u->stmts[s].loc));
}

static void report(struct ir_races *r, const struct ir_access *a, const char *now, const char *before, uint64_t other,
                   ir_stmt other_at) {
    const struct ir_array_info *info = &a->u->arrays[a->array];
    r->count++;
    for (uint32_t i = 0; i < r->described; i++)
        if (r->pairs[i][0] == a->at && r->pairs[i][1] == other_at) return;
    if (r->described == IR_MAX_RACES) return;
    r->pairs[r->described][0] = a->at;
    r->pairs[r->described++][1] = other_at;
    if (*r->text) say(r, "\n");
    say_place(r, a, a->at);
    say(r, ": race: iteration");
    say_iteration(r, a, a->iteration);
    say(r, " %s %s", now, info->name);
    uint64_t below = a->count, rest = a->element;
    for (uint32_t d = 0; d < info->ndims; d++) {
        below /= a->dims[d];
        say(r, "[%llu]", (unsigned long long)(rest / below));
        rest %= below;
    }
    say(r, ", which iteration");
    say_iteration(r, a, other);
    say(r, " %s at ", before);
    say_place(r, a, other_at);
}

// ---- accesses -------------------------------------------------------------------------------------------------------

static bool is_other(const struct ir_access *a, uint64_t iteration) {
    return iteration > a->start && iteration != a->iteration;
}

// An access that sees the element's value, against one kind of marks.
static bool look_before_read(struct ir_races *r, const struct ir_access *a, const struct marks *m, bool by_atomic,
                             bool updates) {
    if (!is_other(a, m->writer)) return false;
    report(r, a, updates ? "updates" : "reads", by_atomic ? "updated" : "wrote", m->writer, m->write_at);
    return true;
}

static void look_before_write(struct ir_races *r, const struct ir_access *a, const struct marks *m, bool by_atomic,
                              bool updates, bool changes) {
    const char *now = updates ? "updates" : "writes";
    if (changes && is_other(a, m->writer)) report(r, a, now, by_atomic ? "updated" : "wrote", m->writer, m->write_at);
    for (uint32_t i = 0; i < 2; i++)
        if (is_other(a, m->readers[i])) {
            report(r, a, now, "read", m->readers[i], m->read_at[i]);
            return;
        }
}

bool ir_shadow_read(struct ir_races *r, const struct ir_access *a) {
    struct marks *m = marks_of(r, a);
    if (!m) return false;
    for (uint32_t kind = 0; kind < (a->atomic ? 1 : kinds_of(a)); kind++)
        look_before_read(r, a, &m[kind], kind, false);
    m += a->atomic;
    uint32_t slot = is_other(a, m->readers[0]) ? 1 : 0;
    m->readers[slot] = a->iteration;
    m->read_at[slot] = a->at;
    return true;
}

bool ir_shadow_write(struct ir_races *r, const struct ir_access *a, bool reads, bool changes) {
    struct marks *m = marks_of(r, a);
    if (!m) return false;
    for (uint32_t kind = 0; kind < (a->atomic ? 1 : kinds_of(a)); kind++)
        if (!(reads && look_before_read(r, a, &m[kind], kind, true)))
            look_before_write(r, a, &m[kind], kind, reads, changes);
    m += a->atomic;
    m->writer = a->iteration;
    m->write_at = a->at;
    return true;
}
