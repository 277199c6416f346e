// The judge of barriers. The interpreter makes one iteration after the other, so to it a barrier is nothing, and a
// software GPU with one workgroup finds none missing. So it is followed here who touches which element: of a program of
// one dispatch iterations, by their numbers, and the one invocation that makes sequential code; of an iteration its
// lanes, of which each has every so many passes of the loops that they share. What one writes another may touch only
// behind a barrier, or where all lanes have met.
//
// Not looked at: whether passes of one shared loop, or iterations of one parallel loop, are apart. Where they are not,
// results change with their order (ir_interp_options.backwards). Nor what passes load early and then do not use: lanes
// are followed where no such pass has run (judge.c).
#include <stdlib.h>
#include <string.h>

#include "ir/ir.h"
#include "judge.h"

enum { ALL = -1, SOLO = 1 }; // whole workgroups; invocation 0, which stores what all of them do

// Who touched an element last, and since when all have waited for it.
struct touch {
    int64_t who;
    uint64_t since, part; // part: the execution of a loop, of whose passes none waits for another one
    ir_stmt at;
    bool atomic;
};
struct element {
    struct touch grid[2], team[2]; // read, written
};
struct of_array {
    struct element *elements;
    uint64_t count;
};

struct waits {
    struct ir_follower follower;
    const struct ir_unit *u;
    struct verdict *out;
    struct of_array *arrays;
    bool *solo; // by statement
    bool grid, teams;
    ir_stmt inside, shared; // the PARFOR under way; the loop that its lanes share
    int64_t worker, lane;
    int64_t lanes; // of the iteration, 0: none meet
    ir_stmt rest;  // what lane 0 makes alone
    uint64_t grid_since, grid_part, team_part;
    uint64_t team_since[2]; // for what was read, for what was written
};

bool judge_deaf;

static void *more(void *old, size_t bytes) {
    void *p = realloc(old, bytes);
    if (!p) abort();
    return p;
}

static struct element *element_of(struct waits *x, ir_array a, uint64_t number) {
    struct of_array *of = &x->arrays[a];
    if (number >= of->count) {
        uint64_t count = 2 * number + 16;
        of->elements = more(of->elements, count * sizeof *of->elements);
        memset(of->elements + of->count, 0, (count - of->count) * sizeof *of->elements);
        of->count = count;
    }
    return &of->elements[number];
}

static uint32_t line_of(const struct waits *x, ir_stmt s) { return x->u->cx->locs[x->u->stmts[s].loc].line; }

static void look(struct waits *x, const char *what, const struct touch *before, const struct touch *now, ir_array a,
                 uint64_t number) {
    bool same = before->who == now->who && now->who != ALL;
    if (same || before->part == now->part || (before->atomic && now->atomic) || x->out->failure) return;
    x->out->failure = FAIL_ENDED;
    snprintf(x->out->why, sizeof x->out->why, "%s between lines %u and %u, which touch %s[%llu] (flat)", what,
             line_of(x, before->at), line_of(x, now->at), x->u->arrays[a].name, (unsigned long long)number);
}

// since: as of struct waits.
static void touched(struct waits *x, const char *what, struct touch of[2], const uint64_t since[2], struct touch now,
                    bool writes, ir_array a, uint64_t number) {
    bool wrote = of[1].since == since[1], read = of[0].since == since[0];
    if (wrote) look(x, what, &of[1], &now, a, number);
    if (writes && read) look(x, what, &of[0], &now, a, number);
    if (!writes && read && of[0].who != now.who) now.who = ALL; // several readers
    now.since = since[writes];
    of[writes] = now;
}

static void on_access(struct waits *x, enum ir_event event, ir_stmt s, ir_array a, uint64_t number) {
    uint8_t klass = x->u->arrays[a].klass;
    bool writes = event != IR_EVENT_READ;
    uint64_t grid_since[] = {x->grid_since, x->grid_since};
    struct touch now = {.part = x->grid_part, .at = s, .atomic = event == IR_EVENT_UPDATE};
    if (klass == IR_ARRAY_LOCAL || klass == IR_ARRAY_STAGED || klass == IR_ARRAY_TABLE || a == x->u->log) return;
    struct element *e = element_of(x, a, number);
    now.who = writes && x->worker == ALL ? SOLO : x->worker;
    if (x->grid) touched(x, "no barrier", e->grid, grid_since, now, writes, a, number);
    now.part = x->team_part;
    now.who = writes && x->lane == ALL ? 0 : x->lane;
    if (x->lanes && !x->u->arrays[a].atomic) touched(x, "no meeting", e->team, x->team_since, now, writes, a, number);
}

// A FOR whose passes the lanes share.
static bool is_shared(const struct waits *x, ir_stmt s) {
    return x->lanes && x->u->stmts[s].kind == IR_FOR && x->u->stmts[s].flags & IR_FLAG_LANES;
}

static void on_statement(struct waits *x, ir_stmt s) {
    const struct ir_stmt_node *n = &x->u->stmts[s];
    if (!x->inside) {
        if (n->kind == IR_BARRIER && !judge_deaf) x->grid_since++;
        x->grid_part++;
        x->worker = x->solo[s] ? SOLO : ALL;
    } else if (x->lanes) {
        if (s == x->rest) x->lane = 0;
        if (n->kind == IR_NOP && n->nop.mark == IR_MARK_MEET && !judge_deaf) x->team_since[0]++, x->team_since[1]++;
        if (!x->shared) x->team_part++;
        if (is_shared(x, s)) x->shared = s;
        // lanes combine what they have, each after its loads, also where a condition leaves them no pass
        ir_stmt inner = n->kind == IR_IF ? ir_last_shared(x->u, n->branch.then_block) : 0;
        if (inner && x->u->stmts[inner].kind == IR_FOR && x->u->stmts[inner].counted.reduction_count)
            x->team_since[0]++;
    }
}

static void on_event(struct ir_follower *f, enum ir_event event, ir_stmt s, ir_array a, uint64_t number) {
    struct waits *x = (struct waits *)f;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    if (event >= IR_EVENT_READ) {
        on_access(x, event, s, a, number);
    } else if (event == IR_EVENT_STATEMENT) {
        on_statement(x, s);
    } else if (event == IR_EVENT_ITERATION) {
        bool together = x->teams && n->flags & IR_FLAG_LANES && !n->parfor.lane_var && !(n->flags & IR_FLAG_TEAM);
        ir_stmt last = together ? ir_last_shared(x->u, n->parfor.body) : 0;
        x->inside = s;
        x->lanes = together ? n->parfor.lanes : 0;
        x->lane = ALL;
        x->rest = last ? x->u->stmts[last].next : 0;
        x->shared = 0;
        x->team_since[0]++, x->team_since[1]++;
        // iterations of one number are of one invocation, where loops are dealt out alike
        uint32_t alike = (n->flags & IR_FLAG_LANES ? n->parfor.lanes : 1) * 4u + n->parfor.turns * 2u;
        x->worker = (int64_t)(16 + (number << 16) + alike + !!(n->flags & IR_FLAG_GROUP));
    } else if (event == IR_EVENT_PASS && is_shared(x, s)) {
        x->lane = (int64_t)number % x->lanes;
    } else if (event == IR_EVENT_END && is_shared(x, s)) {
        x->lane = ALL;
        x->shared = 0;
        x->team_since[0] += n->counted.reduction_count > 0;
    } else if (event == IR_EVENT_END && n->kind == IR_PARFOR) {
        x->inside = 0;
        x->lanes = 0;
    }
}

struct marking {
    struct ir_unit *u;
    bool *solo;
};
static bool on_inner(void *user, ir_stmt s) {
    struct marking *m = user;
    m->solo[s] = true;
    return true;
}
static bool on_solo(void *user, ir_stmt s) {
    struct marking *m = user, inner = *m;
    ir_stmt blocks[2];
    uint32_t count = m->u->stmts[s].flags & IR_FLAG_SOLO ? ir_blocks_of(&m->u->stmts[s], blocks) : 0;
    if (m->u->stmts[s].flags & IR_FLAG_SOLO) m->solo[s] = true;
    for (uint32_t i = 0; i < count; i++)
        ir_walk_stmts(m->u, blocks[i], on_inner, &inner);
    return m->u->stmts[s].kind != IR_PARFOR;
}

struct ir_follower *judge_waits_begin(struct ir_unit *u, bool grid, bool teams, struct verdict *out) {
    struct waits *x = more(NULL, sizeof *x);
    *x = (struct waits){.u = u, .grid = grid, .teams = teams, .out = out, .grid_since = 1};
    x->team_since[0] = x->team_since[1] = 1;
    x->follower.on_event = on_event;
    x->worker = ALL;
    x->arrays = more(NULL, u->array_count * sizeof *x->arrays);
    memset(x->arrays, 0, u->array_count * sizeof *x->arrays);
    x->solo = more(NULL, u->stmt_count);
    memset(x->solo, 0, u->stmt_count);
    struct marking marking = {u, x->solo};
    ir_walk_stmts(u, u->root, on_solo, &marking);
    return &x->follower;
}

void judge_waits_end(struct ir_follower *follower) {
    struct waits *x = (struct waits *)follower;
    for (ir_array a = 1; a < x->u->array_count; a++)
        free(x->arrays[a].elements);
    free(x->arrays);
    free(x->solo);
    free(x);
}
