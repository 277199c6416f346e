// Races by example: plays the first and last iterations of a parallel loop and looks for two that surely meet in one
// element.
//
// Only what is known takes part (play.h): an access happens for sure where every condition around it is known, and its
// element is known where its indices are. Of a long inner loop the first passes are played; after that whatever the
// loop assigns is unknown, and arrays that it stores to are *dirty*: what the iteration reads there may be its own. So
// two iterations that are found to race do race, and a clean loop is never accused. What atomics write is unknown,
// too; that they meet in an element is no race, but a plain store beside an atomic read is.
#include <string.h>

#include "pass/analysis/race_example.h"
#include "pass/cost.h"

enum { TABLE_SIZE = 1 << 13 };

static const struct pass_value unknown = {0, false};

// What one iteration surely did to one element.
struct witness_event {
    ir_array array;
    uint64_t element;
    uint32_t iteration;
    bool stored, read;      // read: before it stored there itself
    struct pass_value last; // stored at last
    ir_stmt store;
    ir_expr load;
    uint32_t next;  // of the same bucket, + 1
    uint32_t other; // event of an earlier iteration on the same element, + 1
};

// ---- events ---------------------------------------------------------------------------------------------------------

static struct witness_event *event_of(struct witness *w, ir_array array, uint64_t element) {
    uint64_t h = (element + 1) * 0x9E3779B97F4A7C15u + array * 0xC2B2AE3D27D4EB4Fu;
    uint32_t *bucket = &w->buckets[(h >> 40) % TABLE_SIZE], other = 0;
    for (uint32_t i = *bucket; i; i = w->events[i - 1].next) {
        struct witness_event *e = &w->events[i - 1];
        if (e->array != array || e->element != element) continue;
        if (e->iteration == w->number) return e;
        other = i;
        break;
    }
    BASE_RESERVE(w->u->cx, w->events, w->event_count, w->event_cap);
    w->events[w->event_count] = (struct witness_event){
        .array = array, .element = element, .iteration = w->number, .next = *bucket, .other = other};
    *bucket = ++w->event_count;
    if (w->event_count == PASS_RACE_EVENTS) pass_play_stop(&w->iteration);
    return &w->events[w->event_count - 1];
}

static bool shared_array(const struct witness *w, ir_array array) {
    uint8_t klass = w->u->arrays[array].klass;
    return array != w->u->log && (klass == IR_ARRAY_INOUT || klass == IR_ARRAY_SCRATCH);
}

static void on_load(struct pass_play *p, ir_expr e, const struct pass_value *index) {
    struct witness *w = p->user;
    ir_array a = p->u->nodes[e].a;
    uint64_t at;
    if (!shared_array(w, a) || w->dirty[a] || p->maybe || !pass_value_element(p->u, a, index, &at) ||
        !pass_play_spend(p))
        return;
    struct witness_event *event = event_of(w, a, at);
    if (event->stored || event->read) return;
    event->read = true;
    event->load = e;
}

// `a[i] = c ? a[i] : x`, `a[i] = min(a[i], x)`: what was there may come back, as if nothing had been stored.
static bool may_keep(const struct ir_unit *u, const struct ir_stmt_node *n) {
    const struct ir_node *value = &u->nodes[n->store.value];
    ir_expr arms[2] = {value->a, value->b};
    if (value->op == IR_SELECT) {
        arms[0] = value->b;
        arms[1] = value->c;
    } else if (value->op != IR_MIN && value->op != IR_MAX && value->op != IR_FMIN && value->op != IR_FMAX) {
        return false;
    }
    for (int k = 0; k < 2; k++) {
        const struct ir_node *arm = &u->nodes[arms[k]];
        bool same = arm->op == IR_LOAD && arm->a == n->store.array;
        for (uint32_t d = 0; d < n->store.index_count && same; d++)
            same = ir_same_expr(u, u->args[arm->b + d], u->args[n->store.indices + d]);
        if (same) return true;
    }
    return false;
}

static void on_write(struct pass_play *p, ir_stmt s, const struct pass_value *index, struct pass_value value) {
    struct witness *w = p->user;
    const struct ir_stmt_node *n = &p->u->stmts[s];
    ir_array a = ir_write_of(n).array;
    uint64_t at;
    if (!shared_array(w, a)) return;
    if (n->kind == IR_ATOMIC || p->maybe || n->flags & IR_FLAG_ATOMIC || may_keep(p->u, n) ||
        !pass_value_element(p->u, a, index, &at) || !pass_play_spend(p)) {
        w->dirty[a] = true;
        return;
    }
    struct witness_event *event = event_of(w, a, at);
    event->stored = true;
    event->store = s;
    event->last = w->dirty[a] ? unknown : value;
}

// ---- what is played -------------------------------------------------------------------------------------------------

static struct pass_value at_entry(struct pass_play *p, ir_var v) {
    const struct witness *w = p->user;
    return w->entry.set[v] ? w->entry.vars[v] : unknown;
}

static void on_forget(struct pass_play *p, const struct ir_effects *effects) {
    struct witness *w = p->user;
    for (uint32_t a = 1; a < p->u->array_count; a++)
        if (ir_bit(effects->arrays_written, a)) w->dirty[a] = true;
}

// Plays passes of the loop while they are few and sure; true: to its end.
static bool play_passes(struct pass_play *p, const struct ir_stmt_node *n) {
    struct pass_counter c = {0};
    bool is_for = n->kind == IR_FOR;
    if (is_for && !pass_play_counter(p, n->counted.var, n->counted.lo, n->counted.hi, n->counted.step, &c))
        return false;
    for (uint32_t pass = 0; pass < PASS_RACE_INNER_PASSES && !p->maybe && p->work < p->most_work; pass++) {
        if (is_for) {
            if (pass == c.trips) return true;
            int64_t at = c.first + (int64_t)pass * n->counted.step;
            pass_play_set(p, n->counted.var, (struct pass_value){(uint32_t)at, true});
        } else if (n->loop.cond) {
            struct pass_value condition = pass_play_expr(p, n->loop.cond);
            if (!condition.known) return false;
            if (!condition.bits) return true;
        }
        pass_play_block(p, ir_body_of(n));
        p->continued = false;
        if (p->broke) return !p->maybe;
        if (!is_for) pass_play_block(p, n->loop.continuing);
    }
    return false;
}

static void on_loop(struct pass_play *p, ir_stmt s) {
    const struct ir_stmt_node n = p->u->stmts[s];
    bool outer = p->maybe, ended = play_passes(p, &n);
    p->maybe = outer;
    p->broke = p->continued = false;
    if (ended) return;
    pass_play_forget(p, ir_body_of(&n));
    if (n.kind == IR_FOR)
        pass_play_set(p, n.counted.var, unknown);
    else
        pass_play_forget(p, n.loop.continuing);
}

static const struct pass_player iteration_player = {
    .unset = at_entry, .load = on_load, .write = on_write, .loop = on_loop, .forget = on_forget};
static const struct pass_player entry_player = {0};

// ---- the verdict ----------------------------------------------------------------------------------------------------

static const char *iteration_text(const struct witness *w, const struct ir_stmt_node *parfor, uint32_t number,
                                  const struct pass_space *space) {
    struct base_text t;
    base_text_init(&t, w->u->cx);
    uint64_t rest = number;
    int64_t values[IR_MAX_DIMS];
    for (uint32_t d = space->n; d-- > 0;) {
        uint32_t lo = 0;
        ir_is_const(w->u, w->u->dims[parfor->parfor.dims + d].lo, &lo);
        values[d] = (int64_t)(int32_t)lo + (int64_t)(rest % space->extents[d]) * space->steps[d];
        rest /= space->extents[d];
    }
    for (uint32_t d = 0; d < space->n; d++)
        base_text_format(&t, "%s%s = %lld", d ? ", " : "", w->u->vars[space->vars[d]].name, (long long)values[d]);
    return t.data;
}

// Whether the last index is that of a word of what the program has as one number.
static bool has_two_words(const struct witness *w, const struct ir_array_info *a) {
    if (a->klass != IR_ARRAY_IN && a->klass != IR_ARRAY_INOUT) return false;
    return w->u->params[a->param].is_pair || w->u->params[a->param].longs;
}

static const char *element_text(const struct witness *w, const struct witness_event *e) {
    const struct ir_array_info *a = &w->u->arrays[e->array];
    uint64_t rest = e->element;
    const char *text = "";
    for (uint32_t d = a->ndims; d-- > 0;) {
        uint32_t extent = 1;
        ir_is_const(w->u, a->dims[d], &extent);
        bool is_word = d + 1 == a->ndims && has_two_words(w, a);
        if (!is_word) text = base_format(w->u->cx, "[%llu]%s", (unsigned long long)(rest % extent), text);
        rest /= extent;
    }
    return base_format(w->u->cx, "%s%s", a->name, text);
}

enum clash { NO_CLASH, BOTH_CHANGE, VALUES_DIFFER, READ_AND_WRITTEN };

// Of two iterations that meet in an element. Most do not race, so no word of theirs is put together here.
static enum clash clash_of(const struct witness_event *then, const struct witness_event *now) {
    if (!then->stored && !now->stored) return NO_CLASH;
    if (!then->stored || !now->stored) return then->read || now->read ? READ_AND_WRITTEN : NO_CLASH;
    if (then->read || now->read) return BOTH_CHANGE;
    bool differ = then->last.known && now->last.known && then->last.bits != now->last.bits;
    return differ ? VALUES_DIFFER : NO_CLASH;
}

static void report_clash(const struct witness *w, ir_stmt parfor, const struct pass_space *space,
                         const struct witness_event *then, const struct witness_event *now, enum clash clash) {
    struct base_cx *cx = w->u->cx;
    const struct ir_stmt_node *loop = &w->u->stmts[parfor];
    const char *one = iteration_text(w, loop, then->iteration, space),
               *two = iteration_text(w, loop, now->iteration, space);
    const char *element = element_text(w, now);
    if (clash == BOTH_CHANGE) {
        const struct witness_event *reader = now->read ? now : then;
        base_error(cx, w->u->stmts[reader->store].loc, "data race: iterations %s and %s both change '%s'", one, two,
                   element);
        base_note(cx, loop->loc,
                  "in this parallel loop; collect in a scalar with `reduction(op:x)` and store it after the loop, or "
                  "give each iteration an element of its own");
    } else if (clash == VALUES_DIFFER) {
        base_error(cx, w->u->stmts[now->store].loc, "data race: iterations %s and %s write different values to '%s'",
                   one, two, element);
        base_note(cx, loop->loc, "in this parallel loop; give each iteration an element of its own");
    } else {
        const struct witness_event *writer = then->stored ? then : now, *reader = writer == then ? now : then;
        base_error(cx, w->u->stmts[writer->store].loc, "data race: iteration %s writes '%s', which iteration %s reads",
                   writer == then ? one : two, element, writer == then ? two : one);
        base_note(cx, w->u->nodes[reader->load].loc, "read here; write to a second array instead");
    }
}

static bool report(struct witness *w, ir_stmt parfor, const struct pass_space *space) {
    for (uint32_t i = 0; i < w->event_count; i++) {
        const struct witness_event *now = &w->events[i];
        if (!now->other) continue;
        const struct witness_event *then = &w->events[now->other - 1];
        enum clash clash = clash_of(then, now);
        if (clash == NO_CLASH) continue;
        report_clash(w, parfor, space, then, now, clash);
        return true;
    }
    return false;
}

void pass_witness_init(struct witness *w, struct pass_scope *sc) {
    struct ir_unit *u = sc->u;
    *w = (struct witness){.u = u, .sc = sc};
    pass_play_init(&w->entry, u, &entry_player, w, PASS_RACE_WORK);
    pass_play_init(&w->iteration, u, &iteration_player, w, PASS_RACE_WORK);
    w->dirty = base_alloc_array(u->cx, u->array_count, sizeof *w->dirty);
    w->buckets = base_alloc_array(u->cx, TABLE_SIZE, sizeof *w->buckets);
}

// An iteration begins: nothing but its own index variables is known that the entry level does not know.
static void begin(struct witness *w, const struct ir_stmt_node *loop, const struct pass_space *space,
                  const uint32_t *lo) {
    struct pass_play *p = &w->iteration;
    pass_play_again(p);
    memset(w->dirty, 0, w->u->array_count * sizeof *w->dirty);
    for (uint32_t r = 0; r < loop->parfor.reduction_count; r++) // a part of the sum
        pass_play_set(p, w->u->reductions[loop->parfor.reductions + r].var, unknown);
    uint64_t rest = w->number;
    for (uint32_t d = space->n; d-- > 0;) {
        uint32_t at = lo[d] + (uint32_t)(rest % space->extents[d]) * (uint32_t)space->steps[d];
        pass_play_set(p, space->vars[d], (struct pass_value){at, true});
        rest /= space->extents[d];
    }
}

bool pass_witness_race(struct witness *w, ir_stmt parfor) {
    struct ir_unit *u = w->u;
    const struct ir_stmt_node loop = u->stmts[parfor];
    struct pass_space space;
    pass_space_of(w->sc, parfor, &space);
    uint64_t total = 1;
    uint32_t lo[IR_MAX_DIMS];
    for (uint32_t d = 0; d < space.n; d++) {
        if (space.extents[d] >= UINT32_MAX || !ir_is_const(u, u->dims[loop.parfor.dims + d].lo, &lo[d]) ||
            total > UINT32_MAX / (space.extents[d] + 1))
            return false;
        total *= space.extents[d];
    }
    if (total < 2) return false;
    w->event_count = w->iteration.work = 0;
    memset(w->buckets, 0, TABLE_SIZE * sizeof *w->buckets);
    for (uint64_t k = 0; k < total; k++) {
        if (k == PASS_RACE_FIRST_ITERATIONS && total > PASS_RACE_FIRST_ITERATIONS + PASS_RACE_LAST_ITERATIONS)
            k = total - PASS_RACE_LAST_ITERATIONS;
        w->number = (uint32_t)k;
        begin(w, &loop, &space, lo);
        uint32_t before = w->event_count;
        pass_play_block(&w->iteration, loop.parfor.body);
        for (uint32_t i = before; i < w->event_count; i++) // an unsure store may have come last
            w->events[i].last.known &= !w->dirty[w->events[i].array];
        if (w->iteration.work >= PASS_RACE_WORK) {
            w->event_count = before; // of an iteration that was not played to its end nothing is sure
            break;
        }
    }
    return report(w, parfor, &space);
}
