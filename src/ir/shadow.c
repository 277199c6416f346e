// Shadow memory. An element remembers its last writer and two different readers: with two, one of them is another iteration than any
// writer. Nothing is cleared when a loop begins, because iterations of earlier loops have smaller numbers than its start.
//
// A write that leaves the value as it was is no race here, as it is none to the compiler (pass/race.c). Arrays that atomics touch are
// left out: an atomic read or write looks like any other to the interpreter.
#include "ir/shadow.h"

#include <stdio.h>
#include <string.h>

struct element {
    uint64_t writer, changer, readers[2]; // changer: the last writer whose value was a new one
    ir_stmt write_at, change_at, read_at[2];
};
struct ir_shadow {
    struct element *elements;
};

void ir_races_deinit(struct ir_races *r) {
    for (uint32_t i = 0; i < r->shadow_count; i++)
        base_heap_free(r->shadows[i].elements);
    base_heap_free(r->shadows);
    r->shadows = NULL;
    r->shadow_count = 0;
}

static struct element *element_of(struct ir_races *r, const struct ir_access *a) {
    if (!r->shadows) {
        r->shadows = base_heap_alloc(a->u->array_count * sizeof *r->shadows);
        if (!r->shadows) return NULL;
        memset(r->shadows, 0, a->u->array_count * sizeof *r->shadows);
        r->shadow_count = a->u->array_count;
    }
    struct ir_shadow *s = &r->shadows[a->array];
    if (!s->elements) {
        size_t bytes;
        if (a->count > SIZE_MAX || !base_mul_size((size_t)a->count, sizeof *s->elements, &bytes)) return NULL;
        s->elements = base_heap_alloc(bytes);
        if (!s->elements) return NULL;
        memset(s->elements, 0, bytes);
    }
    return &s->elements[a->element];
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
    for (uint32_t d = 0; d < n->n; d++)
        below *= a->trips[d];
    for (uint32_t d = 0; d < n->n; d++) {
        const struct ir_dim *dim = &a->u->dims[n->a + d];
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

bool ir_shadow_read(struct ir_races *r, const struct ir_access *a) {
    struct element *e = element_of(r, a);
    if (!e) return false;
    if (e->changer > a->start && e->changer != a->iteration) report(r, a, "reads", "wrote", e->changer, e->change_at);
    uint32_t slot = e->readers[0] <= a->start || e->readers[0] == a->iteration ? 0 : 1;
    e->readers[slot] = a->iteration;
    e->read_at[slot] = a->at;
    return true;
}

bool ir_shadow_write(struct ir_races *r, const struct ir_access *a, bool changes) {
    struct element *e = element_of(r, a);
    if (!e) return false;
    bool other = changes && e->writer > a->start && e->writer != a->iteration;
    if (other) report(r, a, "writes", "wrote", e->writer, e->write_at);
    e->writer = a->iteration;
    e->write_at = a->at;
    if (!changes) return true;
    for (uint32_t i = 0; i < 2; i++)
        if (e->readers[i] > a->start && e->readers[i] != a->iteration) {
            report(r, a, "writes", "read", e->readers[i], e->read_at[i]);
            break;
        }
    e->changer = a->iteration;
    e->change_at = a->at;
    return true;
}
