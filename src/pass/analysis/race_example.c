// Races by example: plays the first and last iterations of a parallel loop and looks for two that surely meet in one
// element.
//
// Only what is known takes part. Scalars are known or unknown, loads are unknown; an access happens for sure where
// every condition around it is known, and its element is known where its indices are. Of a long inner loop the first
// passes are played; after that whatever the loop assigns is unknown, and arrays that it stores to are *dirty*: what
// the iteration reads there may be its own. So two iterations that are found to race do race, and a clean loop is never
// accused. What atomics write is unknown, too; that they meet in an element is no race, but a plain store beside an
// atomic read is.
#include <string.h>

#include "ir/eval.h"
#include "pass/analysis/race_example.h"
#include "pass/cost.h"

enum { TABLE_SIZE = 1 << 13 };

// What one iteration surely did to one element.
struct witness_event {
    ir_array array;
    uint64_t element;
    uint32_t iteration;
    bool stored, read;         // read: before it stored there itself
    struct witness_value last; // stored at last
    ir_stmt store;
    ir_expr load;
    uint32_t next;  // of the same bucket, + 1
    uint32_t other; // event of an earlier iteration on the same element, + 1
};

static bool spend(struct witness *p) {
    return p->work < PASS_RACE_WORK && p->event_count < PASS_RACE_EVENTS && (p->work++, true);
}

static void set_var(struct witness *p, ir_var v, struct witness_value value) {
    if (!p->set[v]) {
        p->set[v] = true;
        p->touched[p->touched_count++] = v;
    }
    p->vars[v] = p->maybe ? (struct witness_value){0, false} : value;
}

// ---- events -----------------------------------------------------------------------------------------------------------------------

static struct witness_event *event_of(struct witness *p, ir_array array, uint64_t element) {
    uint64_t h = (element + 1) * 0x9E3779B97F4A7C15u + array * 0xC2B2AE3D27D4EB4Fu;
    uint32_t *bucket = &p->buckets[(h >> 40) % TABLE_SIZE], other = 0;
    for (uint32_t i = *bucket; i; i = p->events[i - 1].next) {
        struct witness_event *e = &p->events[i - 1];
        if (e->array != array || e->element != element) continue;
        if (e->iteration == p->iteration) return e;
        other = i;
        break;
    }
    BASE_RESERVE(p->u->cx, p->events, p->event_count, p->event_cap);
    p->events[p->event_count] = (struct witness_event){
        .array = array, .element = element, .iteration = p->iteration, .next = *bucket, .other = other};
    *bucket = ++p->event_count;
    return &p->events[p->event_count - 1];
}

static bool shared_array(const struct witness *p, ir_array array) {
    uint8_t klass = p->u->arrays[array].klass;
    return array != p->u->log && (klass == IR_ARRAY_INOUT || klass == IR_ARRAY_SCRATCH);
}

// The element's number in the array, if the indices are known and inside.
static bool locate(const struct witness *p, ir_array array, const struct witness_value *index, uint32_t n,
                   uint64_t *out) {
    uint64_t at = 0;
    for (uint32_t d = 0; d < n; d++) {
        uint32_t extent;
        if (!index[d].known || !ir_is_const(p->u, p->u->arrays[array].dims[d], &extent) || index[d].bits >= extent)
            return false;
        at = at * extent + index[d].bits;
    }
    *out = at;
    return true;
}

// ---- expressions --------------------------------------------------------------------------------------------------------------------

static struct witness_value play_expr(struct witness *p, ir_expr e);

static struct witness_value play_load(struct witness *p, ir_expr e) {
    const struct ir_node n = p->u->nodes[e];
    struct witness_value index[IR_MAX_DIMS];
    for (uint32_t d = 0; d < n.n; d++)
        index[d] = play_expr(p, p->u->args[n.b + d]);
    uint64_t at;
    const struct ir_array_info *a = &p->u->arrays[n.a];
    if (!locate(p, n.a, index, n.n, &at)) return (struct witness_value){0, false};
    if (a->klass == IR_ARRAY_TABLE)
        return at < a->data_count ? (struct witness_value){a->data[at], true} : (struct witness_value){0, false};
    if (shared_array(p, n.a) && !p->dirty[n.a] && !p->maybe && spend(p)) {
        struct witness_event *event = event_of(p, n.a, at);
        if (!event->stored && !event->read) {
            event->read = true;
            event->load = e;
        }
    }
    return (struct witness_value){0, false};
}

// A part that is evaluated only if `known` says so.
static struct witness_value play_arm(struct witness *p, ir_expr e, bool sure) {
    bool outer = p->maybe;
    p->maybe |= !sure;
    struct witness_value v = play_expr(p, e);
    p->maybe = outer;
    return v;
}

static struct witness_value play_expr(struct witness *p, ir_expr e) {
    const struct ir_node n = p->u->nodes[e];
    const struct witness_value unknown = {0, false};
    if (!spend(p) || p->depth > PASS_PLAYED_DEPTH) return unknown;
    if (n.op == IR_CONST) return (struct witness_value){n.a, true};
    if (n.op == IR_LOAD) return play_load(p, e);
    if (n.op == IR_VAR) {
        if (p->set[n.a]) return p->vars[n.a];
        if (p->entry[n.a].known) return p->entry[n.a];
        if (n.a >= p->sc->var_cap || !p->sc->definition[n.a]) return unknown;
        p->depth++; // a definition outside of the loop: what it reads there is read once, before the loop
        struct witness_value v = play_arm(p, p->sc->definition[n.a], false);
        p->depth--;
        return v;
    }
    p->depth++;
    struct witness_value a = play_expr(p, n.a), b = unknown, c = unknown, out = unknown;
    if (n.op == IR_SELECT || n.op == IR_LAND || n.op == IR_LOR) {
        if (n.op == IR_SELECT) {
            b = !a.known || a.bits ? play_arm(p, n.b, a.known) : unknown;
            c = !a.known || !a.bits ? play_arm(p, n.c, a.known) : unknown;
            out = !a.known ? unknown : a.bits ? b : c;
        } else {
            bool decided = a.known && !a.bits == (n.op == IR_LAND);
            b = decided ? unknown : play_arm(p, n.b, a.known);
            out = decided ? a : a.known ? b : unknown;
        }
        p->depth--;
        return out;
    }
    uint32_t arity = ir_ops[n.op].arity;
    b = arity > 1 ? play_expr(p, n.b) : (struct witness_value){0, true};
    c = arity > 2 ? play_expr(p, n.c) : (struct witness_value){0, true};
    p->depth--;
    if (a.known && b.known && c.known)
        out.known =
            ir_eval_op((enum ir_op)n.op, (enum ir_type)p->u->nodes[n.a].type, a.bits, b.bits, c.bits, &out.bits);
    return out;
}

// ---- statements ---------------------------------------------------------------------------------------------------------------------

static void play_block(struct witness *p, ir_stmt block);

// After something that was not played to its end: whatever it may have written is unknown.
static void forget(struct witness *p, ir_stmt block) {
    p->work += p->u->var_count / 16 + 1;
    struct ir_effects effects = ir_effects_of(p->u, block);
    for (uint32_t v = 1; v < p->u->var_count; v++)
        if (ir_bit(effects.vars_written, v)) set_var(p, v, (struct witness_value){0, false});
    for (uint32_t a = 1; a < p->u->array_count; a++)
        if (ir_bit(effects.arrays_written, a)) p->dirty[a] = true;
}

// Plays a loop's passes while they are few and their end is known.
static void play_loop(struct witness *p, const struct ir_stmt_node *n) {
    struct witness_value lo = {0, true}, hi = {0, true};
    bool is_for = n->kind == IR_FOR, outer = p->maybe;
    enum ir_type type = is_for ? (enum ir_type)p->u->vars[n->counted.var].type : IR_VOID;
    if (is_for) {
        lo = play_expr(p, n->counted.lo);
        hi = play_expr(p, n->counted.hi);
    }
    bool ended = false;
    int64_t step = is_for ? n->counted.step : 0, at = type == IR_U32 ? (int64_t)lo.bits : (int64_t)(int32_t)lo.bits;
    int64_t end = type == IR_U32 ? (int64_t)hi.bits : (int64_t)(int32_t)hi.bits;
    for (uint32_t pass = 0;
         !ended && pass < PASS_RACE_INNER_PASSES && lo.known && hi.known && !p->maybe && p->work < PASS_RACE_WORK;
         pass++, at += step) {
        if (is_for) {
            if (step > 0 ? at >= end : at <= end) {
                ended = true;
                break;
            }
            set_var(p, n->counted.var, (struct witness_value){(uint32_t)at, true});
        } else if (n->loop.cond) {
            struct witness_value condition = play_expr(p, n->loop.cond);
            if (!condition.known) break;
            if (!condition.bits) {
                ended = true;
                break;
            }
        }
        play_block(p, ir_body_of(n));
        p->continued = false;
        if (p->broke) {
            ended = !p->maybe;
            p->broke = false;
            break;
        }
        if (!is_for) play_block(p, n->loop.continuing);
    }
    p->maybe = outer;
    p->broke = p->continued = false;
    if (ended) return;
    forget(p, ir_body_of(n));
    if (is_for)
        set_var(p, n->counted.var, (struct witness_value){0, false});
    else
        forget(p, n->loop.continuing);
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

static void play_store(struct witness *p, ir_stmt s, const struct ir_stmt_node *n) {
    struct witness_value index[IR_MAX_DIMS];
    for (uint32_t d = 0; d < n->store.index_count; d++)
        index[d] = play_expr(p, p->u->args[n->store.indices + d]);
    struct witness_value value = play_expr(p, n->store.value);
    uint64_t at;
    if (!shared_array(p, n->store.array)) return;
    if (p->maybe || n->flags & IR_FLAG_ATOMIC || may_keep(p->u, n) ||
        !locate(p, n->store.array, index, n->store.index_count, &at) || !spend(p)) {
        p->dirty[n->store.array] = true;
        return;
    }
    struct witness_event *event = event_of(p, n->store.array, at);
    event->stored = true;
    event->store = s;
    event->last = p->dirty[n->store.array] ? (struct witness_value){0, false} : value;
}

static void play_block(struct witness *p, ir_stmt block) {
    for (ir_stmt s = block; s && !p->broke && !p->continued; s = p->u->stmts[s].next) {
        const struct ir_stmt_node n = p->u->stmts[s];
        if (!spend(p)) return;
        switch (n.kind) {
        case IR_ASSIGN: set_var(p, n.assign.var, play_expr(p, n.assign.value)); break;
        case IR_STORE: play_store(p, s, &n); break;
        case IR_ATOMIC:
            p->dirty[n.atomic.array] = true;
            if (n.atomic.old) set_var(p, n.atomic.old, (struct witness_value){0, false});
            break;
        case IR_IF: {
            struct witness_value condition = play_expr(p, n.branch.cond);
            if (condition.known) {
                play_block(p, condition.bits ? n.branch.then_block : n.branch.else_block);
                break;
            }
            // Neither arm is played: what it reads or writes is not sure. A jump in it makes the rest of the loop
            // unsure.
            forget(p, n.branch.then_block);
            forget(p, n.branch.else_block);
            if (pass_leaves_loop(p->u, n.branch.then_block) || pass_leaves_loop(p->u, n.branch.else_block))
                p->maybe = true;
            break;
        }
        case IR_FOR:
        case IR_LOOP: play_loop(p, &n); break;
        case IR_BREAK: p->broke = true; break;
        case IR_CONTINUE: p->continued = true; break;
        default: break;
        }
    }
}

// ---- the verdict ----------------------------------------------------------------------------------------------------------------------

static const char *iteration_text(const struct witness *p, const struct ir_stmt_node *parfor, uint32_t number,
                                  const struct pass_space *space) {
    struct base_text t;
    base_text_init(&t, p->u->cx);
    uint64_t rest = number;
    int64_t values[IR_MAX_DIMS];
    for (uint32_t d = space->n; d-- > 0;) {
        uint32_t lo = 0;
        ir_is_const(p->u, p->u->dims[parfor->parfor.dims + d].lo, &lo);
        values[d] = (int64_t)(int32_t)lo + (int64_t)(rest % space->extents[d]) * space->steps[d];
        rest /= space->extents[d];
    }
    for (uint32_t d = 0; d < space->n; d++)
        base_text_format(&t, "%s%s = %lld", d ? ", " : "", p->u->vars[space->vars[d]].name, (long long)values[d]);
    return t.data;
}

static const char *element_text(const struct witness *p, const struct witness_event *e) {
    const struct ir_array_info *a = &p->u->arrays[e->array];
    uint64_t rest = e->element;
    const char *text = "";
    for (uint32_t d = a->ndims; d-- > 0;) {
        uint32_t extent = 1;
        ir_is_const(p->u, a->dims[d], &extent);
        text = base_format(p->u->cx, "[%llu]%s", (unsigned long long)(rest % extent), text);
        rest /= extent;
    }
    return base_format(p->u->cx, "%s%s", a->name, text);
}

static bool report(struct witness *p, ir_stmt parfor, const struct pass_space *space) {
    struct base_cx *cx = p->u->cx;
    const struct ir_stmt_node *loop = &p->u->stmts[parfor];
    for (uint32_t i = 0; i < p->event_count; i++) {
        const struct witness_event *now = &p->events[i];
        if (!now->other) continue;
        const struct witness_event *then = &p->events[now->other - 1];
        const char *one = iteration_text(p, loop, then->iteration, space),
                   *two = iteration_text(p, loop, now->iteration, space);
        const char *element = element_text(p, now);
        if (then->stored && now->stored && (then->read || now->read)) {
            const struct witness_event *reader = now->read ? now : then;
            base_error(cx, p->u->stmts[reader->store].loc, "data race: iterations %s and %s both change '%s'", one, two,
                       element);
            base_note(cx, loop->loc,
                      "in this parallel loop; collect in a scalar with `reduction(op:x)` and store it after the loop, "
                      "or give "
                      "each iteration an element of its own");
            return true;
        }
        if (then->stored && now->stored && then->last.known && now->last.known && then->last.bits != now->last.bits) {
            base_error(cx, p->u->stmts[now->store].loc,
                       "data race: iterations %s and %s write different values to '%s'", one, two, element);
            base_note(cx, loop->loc, "in this parallel loop; give each iteration an element of its own");
            return true;
        }
        const struct witness_event *reader = now->read && then->stored ? now : then->read && now->stored ? then : NULL;
        if (reader && !reader->stored) {
            const struct witness_event *writer = reader == now ? then : now;
            base_error(cx, p->u->stmts[writer->store].loc,
                       "data race: iteration %s writes '%s', which iteration %s reads", writer == then ? one : two,
                       element, writer == then ? two : one);
            base_note(cx, p->u->nodes[reader->load].loc, "read here; write to a second array instead");
            return true;
        }
    }
    return false;
}

void pass_witness_init(struct witness *p, struct pass_scope *sc) {
    struct ir_unit *u = sc->u;
    struct base_cx *cx = u->cx;
    *p = (struct witness){.u = u, .sc = sc};
    p->entry = base_alloc_array(cx, u->var_count, sizeof *p->entry);
    p->vars = base_alloc_array(cx, u->var_count, sizeof *p->vars);
    p->set = base_alloc_array(cx, u->var_count, sizeof *p->set);
    p->touched = base_alloc_array(cx, u->var_count, sizeof *p->touched);
    p->dirty = base_alloc_array(cx, u->array_count, sizeof *p->dirty);
    p->buckets = base_alloc_array(cx, TABLE_SIZE, sizeof *p->buckets);
}

static void begin(struct witness *p) {
    while (p->touched_count)
        p->set[p->touched[--p->touched_count]] = false;
    p->maybe = p->broke = p->continued = false;
}

struct witness_value pass_witness_entry(struct witness *p, ir_expr e) {
    begin(p);
    p->work = 0;
    return play_arm(p, e, false);
}

bool pass_witness_race(struct witness *p, ir_stmt parfor) {
    struct ir_unit *u = p->u;
    const struct ir_stmt_node loop = u->stmts[parfor];
    struct pass_space space;
    pass_space_of(p->sc, parfor, &space);
    uint64_t total = 1;
    uint32_t lo[IR_MAX_DIMS];
    for (uint32_t d = 0; d < space.n; d++) {
        if (space.extents[d] >= UINT32_MAX || !ir_is_const(u, u->dims[loop.parfor.dims + d].lo, &lo[d]) ||
            total > UINT32_MAX / (space.extents[d] + 1))
            return false;
        total *= space.extents[d];
    }
    if (total < 2) return false;
    p->event_count = p->work = 0;
    memset(p->buckets, 0, TABLE_SIZE * sizeof *p->buckets);
    for (uint64_t k = 0; k < total; k++) {
        if (k == PASS_RACE_FIRST_ITERATIONS && total > PASS_RACE_FIRST_ITERATIONS + PASS_RACE_LAST_ITERATIONS)
            k = total - PASS_RACE_LAST_ITERATIONS;
        begin(p);
        memset(p->dirty, 0, u->array_count * sizeof *p->dirty);
        p->iteration = (uint32_t)k;
        for (uint32_t r = 0; r < loop.parfor.reduction_count; r++) // a part of the sum
            set_var(p, u->reductions[loop.parfor.reductions + r].var, (struct witness_value){0, false});
        uint64_t rest = k;
        for (uint32_t d = space.n; d-- > 0;) {
            set_var(
                p, space.vars[d],
                (struct witness_value){lo[d] + (uint32_t)(rest % space.extents[d]) * (uint32_t)space.steps[d], true});
            rest /= space.extents[d];
        }
        uint32_t before = p->event_count;
        play_block(p, loop.parfor.body);
        for (uint32_t i = before; i < p->event_count; i++) // an unsure store may have come last
            p->events[i].last.known &= !p->dirty[p->events[i].array];
        if (p->work >= PASS_RACE_WORK || p->event_count >= PASS_RACE_EVENTS) {
            p->event_count = before; // of an iteration that was not played to its end nothing is sure
            break;
        }
    }
    return report(p, parfor, &space);
}
