// Sequential loops that take places from counters, as the last step of a sort by digits:
//
//   for (i = lo; i < hi; i++) {            for (at = lo; at < hi; at += n) {
//       d = digit(i);                          n = min(hi - at, CHUNK);
//       t = next[d];                           for (q < n shared) { key[q] = digit(at + q);  slot[q] = next[key[q]]; }
//       next[d] = t + 1;                       for (q < n shared) slot[q] += passes o < q with key[o] == key[q];
//       out[t] = x[i];                         for (q < n shared) {
//   }                                              if (no o > q has this key) next[key[q]] = slot[q] + 1;
//                                                  if (no o > q has this slot) out[slot[q]] = x[at + q];
//                                              }
//                                          }
//
// The law: which counter a pass takes from is known without the counters, and nothing else is done to them; so what it
// finds there is what was there before the round, and one more for each pass before it with the same counter. What it
// stores at its place nobody loads in the loop; of several such stores to one place, the last one's stays, as in C.
// Passes that take nothing have keys of their own. (Ranks within a block are how sorts by digits keep equal keys in
// order: D. Merrill, A. Grimshaw, Parallel Processing Letters 21, 2011.)
#include "pass/lanes/counters.h"

#include <string.h>

#include "pass/cost.h"
#include "pass/expansion.h"
#include "pass/lanes/one_lane.h"
#include "pass/passes.h"

enum { AT_A_TIME = 8 }; // law: a divisor of each round's length, a power of two

struct taker {
    struct ir_unit *u;
    ir_stmt loop;
    struct ir_effects fx; // of its body
    ir_stmt test;         // under which all of it stands; 0: it always takes a place
    ir_stmt take, put;    // t = next[d]; next[d] = t + step;
    ir_var place;         // t
    ir_expr step;
    ir_var pass, i;           // of the shared loop at hand: its counter, and the old one
    ir_array key, slot, last; // by pass of the round: its counter, its place, whether it is the counter's last
    ir_expr stays;            // no pass behind it in the round has its place
};

static const struct ir_stmt_node *node_of(const struct taker *x, ir_stmt s) { return &x->u->stmts[s]; }

// ---- is it such a loop? ---------------------------------------------------------------------------------------------

static bool are_same(const struct ir_unit *u, const uint32_t *a, const uint32_t *b, uint32_t n) {
    for (uint32_t d = 0; d < n; d++)
        if (!ir_same_expr(u, a[d], b[d])) return false;
    return true;
}

// `t = next[d]` and behind it `next[d] = t + step`, a constant.
static bool takes(struct taker *x, ir_stmt s) {
    const struct ir_unit *u = x->u;
    const struct ir_stmt_node *a = node_of(x, s), *b = a->next ? node_of(x, a->next) : NULL;
    if (a->kind != IR_ASSIGN || !b || b->kind != IR_STORE) return false;
    const struct ir_node *load = &u->nodes[a->assign.value], *sum = &u->nodes[b->store.value];
    if (load->op != IR_LOAD || load->a != b->store.array || sum->op != IR_ADD || load->type == IR_F32 ||
        !are_same(u, u->args + load->b, u->args + b->store.indices, load->n))
        return false;
    bool left = pass_is_var(u, sum->a, a->assign.var), right = pass_is_var(u, sum->b, a->assign.var);
    uint32_t step;
    x->step = left ? sum->b : sum->a;
    if (left == right || !ir_is_const(u, x->step, &step) || (a->flags | b->flags) & IR_FLAG_ATOMIC) return false;
    x->take = s;
    x->put = a->next;
    x->place = a->assign.var;
    return step != 0;
}

static bool find(struct taker *x, ir_stmt block, bool inside) {
    for (ir_stmt s = block; s; s = node_of(x, s)->next) {
        const struct ir_stmt_node *n = node_of(x, s);
        if (takes(x, s)) return true;
        if (n->kind == IR_IF && !inside && !n->next && !n->branch.else_block) {
            x->test = s;
            return find(x, n->branch.then_block, true);
        }
        if (n->kind != IR_ASSIGN || n->flags & IR_FLAG_ATOMIC) return false;
    }
    return false;
}

struct reads {
    const struct taker *x;
    ir_array array;
    uint32_t loads;
    bool stays;
};
static bool on_read(void *user, ir_expr e) {
    struct reads *r = user;
    const struct taker *x = r->x;
    const struct ir_node *n = &x->u->nodes[e];
    r->loads += n->op == IR_LOAD && n->a == r->array;
    if (n->op == IR_VAR) r->stays &= n->a != node_of(x, x->loop)->counted.var && !ir_bit(x->fx.vars_written, n->a);
    if (n->op == IR_LOAD) r->stays &= !ir_bit(x->fx.arrays_written, n->a);
    return true;
}
static bool stays(const struct taker *x, ir_expr e) {
    struct reads r = {x, 0, 0, true};
    ir_walk_expr(x->u, e, on_read, &r);
    return r.stays;
}

// A store at the pass' place, or at its number: along one dimension, the others stay.
static bool is_of_place(const struct taker *x, ir_stmt s, bool *out_numbered) {
    const struct ir_stmt_node *n = node_of(x, s);
    const struct ir_unit *u = x->u;
    uint32_t places = 0, numbers = 0;
    for (uint32_t d = 0; d < n->store.index_count; d++) {
        ir_expr at = u->args[n->store.indices + d];
        bool place = pass_is_var(u, at, x->place), number = pass_is_var(u, at, node_of(x, x->loop)->counted.var);
        if (!place && !number && !stays(x, at)) return false;
        places += place;
        numbers += number;
    }
    *out_numbered = numbers > 0;
    return places + numbers == 1;
}

// Lanes of an iteration may store into it (lanes.c).
static bool may_write(const struct ir_unit *u, ir_array a) {
    return u->arrays[a].klass != IR_ARRAY_LOCAL && (!u->arrays[a].atomic || u->arrays[a].updated);
}

// What follows are assignments and stores that nobody loads in the loop, all to an array in the same way.
static bool rest_fits(const struct taker *x) {
    struct ir_unit *u = x->u;
    uint8_t *ways = base_alloc_array(u->cx, u->array_count, sizeof *ways);
    for (ir_stmt s = node_of(x, x->put)->next; s; s = node_of(x, s)->next) {
        const struct ir_stmt_node *n = node_of(x, s);
        bool numbered;
        if (n->flags & IR_FLAG_ATOMIC) return false;
        if (n->kind == IR_ASSIGN) continue;
        if (n->kind != IR_STORE || ir_bit(x->fx.arrays_read, n->store.array) || !may_write(u, n->store.array) ||
            !is_of_place(x, s, &numbered))
            return false;
        uint8_t way = numbered ? 1 : 2;
        if (ways[n->store.array] && ways[n->store.array] != way) return false;
        ways[n->store.array] = way;
    }
    return true;
}

static bool is_such(struct taker *x, const uint32_t *reads) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = *node_of(x, x->loop);
    uint32_t *left, *met, size;
    if (!find(x, n.counted.body, false)) return false;
    x->fx = ir_effects_of(u, n.counted.body);
    struct reads r = {x, node_of(x, x->put)->store.array, 0, true};
    const struct ir_array_info *counters = &u->arrays[r.array];
    ir_walk_nodes(u, n.counted.body, on_read, &r);
    if (r.loads != 1 || !may_write(u, r.array) || base_dtype((enum whorl_dtype)counters->elem)->bytes != 4)
        return false;
    for (uint32_t d = 1; d < counters->ndims; d++)
        if (!ir_is_const(u, counters->dims[d], &size)) return false;
    pass_find_left(u, n.counted.body, reads, true, &left, &met);
    for (ir_var v = 1; v < u->var_count; v++)
        if (ir_bit(left, v)) return false;
    return rest_fits(x);
}

// ---- what it becomes ------------------------------------------------------------------------------------------------

static ir_var local(struct taker *x, const char *name, enum ir_type type) {
    return ir_add_var(x->u, name, type, IR_VAR_LOCAL, node_of(x, x->loop)->loc);
}
static ir_expr read_of(struct taker *x, ir_var v) { return ir_var_read(x->u, v, node_of(x, x->loop)->loc); }
static ir_expr two(struct taker *x, enum ir_op op, ir_expr a, ir_expr b) {
    return ir_op2(x->u, op, a, b, node_of(x, x->loop)->loc);
}
static ir_expr number(struct taker *x, int32_t value) { return ir_const_i32(x->u, value); }
static void put(struct taker *x, ir_stmt *out, ir_var v, ir_expr value) {
    ir_append(x->u, out, ir_assign(x->u, v, value, node_of(x, x->loop)->loc));
}
static ir_expr load(struct taker *x, ir_array a, ir_var at) {
    ir_expr index = read_of(x, at);
    return ir_load(x->u, a, &index, 1, node_of(x, x->loop)->loc);
}
static void store(struct taker *x, ir_stmt *out, ir_array a, ir_expr value) {
    ir_expr index = read_of(x, x->pass);
    ir_append(x->u, out, ir_store(x->u, a, &index, 1, value, node_of(x, x->loop)->loc));
}
static ir_expr converted(struct taker *x, ir_expr e, enum ir_type type) {
    enum ir_type from = (enum ir_type)x->u->nodes[e].type;
    return from == type ? e : ir_op1(x->u, type == IR_I32 ? IR_U2I : IR_I2U, e, node_of(x, x->loop)->loc);
}

// The counter's number among all of its array.
static ir_expr key_of(struct taker *x) {
    struct ir_unit *u = x->u;
    const struct ir_node n = u->nodes[node_of(x, x->take)->assign.value];
    ir_expr key = 0;
    for (uint32_t d = 0; d < n.n; d++) {
        ir_expr at = converted(x, u->args[n.b + d], IR_I32);
        key = key ? two(x, IR_ADD, two(x, IR_MUL, key, u->arrays[n.a].dims[d]), at) : at;
    }
    return key;
}

// The statements up to the one that takes a place: it notes the counter, and what is there.
static ir_stmt ask_block(struct taker *x, ir_stmt block) {
    ir_stmt out = 0;
    for (ir_stmt s = block; s; s = node_of(x, s)->next) {
        const struct ir_stmt_node n = *node_of(x, s);
        if (s == x->take) {
            store(x, &out, x->key, key_of(x));
            store(x, &out, x->slot, n.assign.value);
            break;
        }
        ir_append(x->u, &out,
                  s == x->test ? ir_if(x->u, n.branch.cond, ask_block(x, n.branch.then_block), 0, n.loc)
                               : ir_assign(x->u, n.assign.var, n.assign.value, n.loc));
    }
    return out;
}

// All statements, with the place that was found, and those stores that stay.
static ir_stmt make_block(struct taker *x, ir_stmt block) {
    struct ir_unit *u = x->u;
    ir_stmt out = 0;
    for (ir_stmt s = block; s; s = node_of(x, s)->next) {
        const struct ir_stmt_node n = *node_of(x, s);
        ir_stmt made;
        bool numbered = false;
        if (s == x->test) {
            made = ir_if(u, n.branch.cond, make_block(x, n.branch.then_block), 0, n.loc);
        } else if (n.kind == IR_ASSIGN) {
            made = ir_assign(u, n.assign.var, s == x->take ? load(x, x->slot, x->pass) : n.assign.value, n.loc);
        } else {
            ir_expr indices[IR_MAX_DIMS];
            memcpy(indices, u->args + n.store.indices, n.store.index_count * sizeof *indices);
            made = ir_store(u, n.store.array, indices, n.store.index_count, n.store.value, n.loc);
            if (s != x->put) (void)is_of_place(x, s, &numbered);
            ir_expr last = two(x, IR_NE, load(x, x->last, x->pass), number(x, 0));
            if (!numbered) made = ir_if(u, s == x->put ? last : x->stays, made, 0, n.loc);
        }
        ir_append(u, &out, made);
    }
    return out;
}

// A copy of the block, with variables of its own.
static ir_stmt own_copy(struct taker *x, ir_stmt block, uint32_t vars) {
    struct ir_unit *u = x->u;
    ir_var *map = base_alloc_array(u->cx, u->var_count, sizeof *map);
    for (ir_var v = 1; v < vars; v++)
        if (ir_bit(x->fx.vars_written, v)) map[v] = local(x, u->vars[v].name, (enum ir_type)u->vars[v].type);
    map[node_of(x, x->loop)->counted.var] = x->i;
    return ir_clone_block(u, block, map, NULL);
}

static void begin_pass(struct taker *x, ir_stmt *out, ir_var at) {
    x->pass = local(x, "pass", IR_I32);
    x->i = local(x, "i", IR_I32);
    if (at) put(x, out, x->i, two(x, IR_ADD, read_of(x, at), read_of(x, x->pass)));
}
static ir_stmt end_pass(struct taker *x, ir_stmt body, ir_var count) {
    ir_stmt loop = ir_for(x->u, x->pass, number(x, 0), read_of(x, count), 1, body, node_of(x, x->loop)->loc);
    x->u->stmts[loop].flags |= IR_FLAG_SIMD | IR_FLAG_FREE;
    return loop;
}

static ir_stmt make_asking(struct taker *x, ir_var at, ir_var count, uint32_t vars) {
    ir_stmt body = 0;
    begin_pass(x, &body, at);
    if (x->test) { // for those that take nothing
        ir_expr none = two(x, IR_SUB, number(x, -1), read_of(x, x->pass));
        store(x, &body, x->key, none);
        store(x, &body, x->slot, converted(x, none, ir_elem_type((enum whorl_dtype)x->u->arrays[x->slot].elem)));
    }
    ir_append(x->u, &body, own_copy(x, ask_block(x, node_of(x, x->loop)->counted.body), vars));
    return end_pass(x, body, count);
}

// Counts other passes of the round with the same word in the array. (Eight at a time, all of them loaded: what is left
// in the array from other rounds is not counted.)
struct like {
    ir_var other, word, mine; // another pass, what it has, and this one's
    ir_var before, all;       // such passes in front of this one; and in the round, this one counted
};
// count += same && number < end, without a branch
static void count_if(struct taker *x, ir_stmt *out, ir_var count, const struct like *like, ir_var end) {
    base_loc loc = node_of(x, x->loop)->loc;
    ir_expr one = ir_op3(x->u, IR_SELECT, two(x, IR_LT, read_of(x, like->other), read_of(x, end)), number(x, 1),
                         number(x, 0), loc);
    ir_expr same = two(x, IR_EQ, read_of(x, like->word), read_of(x, like->mine));
    put(x, out, count, two(x, IR_ADD, read_of(x, count), ir_op3(x->u, IR_SELECT, same, one, number(x, 0), loc)));
}
static struct like look_for_others(struct taker *x, ir_array a, ir_var count, uint32_t at_once, ir_stmt *out) {
    enum ir_type type = ir_elem_type((enum whorl_dtype)x->u->arrays[a].elem);
    struct like like = {
        .mine = local(x, "mine", type), .before = local(x, "before", IR_I32), .all = local(x, "all", IR_I32)};
    ir_var from = local(x, "from", IR_I32);
    ir_stmt body = 0;
    put(x, out, like.before, number(x, 0));
    put(x, out, like.all, number(x, 0));
    put(x, out, like.mine, load(x, a, x->pass));
    for (int32_t k = 0; k < AT_A_TIME; k++) {
        like.other = local(x, "other", IR_I32);
        like.word = local(x, "word", type);
        put(x, &body, like.other, two(x, IR_ADD, read_of(x, from), number(x, k)));
        put(x, &body, like.word, load(x, a, like.other));
        count_if(x, &body, like.before, &like, x->pass);
        count_if(x, &body, like.all, &like, count);
    }
    ir_append(x->u, out,
              ir_for(x->u, from, number(x, 0), number(x, (int32_t)at_once), AT_A_TIME, body, node_of(x, x->loop)->loc));
    return like;
}
// None of them is behind this one.
static ir_expr is_last(struct taker *x, const struct like *like) {
    return two(x, IR_EQ, two(x, IR_ADD, read_of(x, like->before), number(x, 1)), read_of(x, like->all));
}

static ir_stmt make_ranking(struct taker *x, ir_var count, uint32_t at_once) {
    ir_stmt body = 0;
    begin_pass(x, &body, 0);
    enum ir_type type = ir_elem_type((enum whorl_dtype)x->u->arrays[x->slot].elem);
    struct like like = look_for_others(x, x->key, count, at_once, &body);
    ir_expr taken = two(x, IR_MUL, converted(x, read_of(x, like.before), type), x->step);
    store(x, &body, x->slot, two(x, IR_ADD, load(x, x->slot, x->pass), taken));
    store(x, &body, x->last,
          ir_op3(x->u, IR_SELECT, is_last(x, &like), number(x, 1), number(x, 0), node_of(x, x->loop)->loc));
    return end_pass(x, body, count);
}

static ir_stmt make_passes(struct taker *x, ir_var at, ir_var count, uint32_t vars, uint32_t at_once) {
    ir_stmt body = 0;
    begin_pass(x, &body, at);
    struct like like = look_for_others(x, x->slot, count, at_once, &body);
    x->stays = is_last(x, &like);
    ir_append(x->u, &body, own_copy(x, make_block(x, node_of(x, x->loop)->counted.body), vars));
    return end_pass(x, body, count);
}

// Arrays of the iteration, one element a pass of a round; what is said of them is said of these.
static bool make_arrays(struct taker *x, struct pass_expansion *room, uint32_t at_once) {
    struct ir_unit *u = x->u;
    base_loc loc = node_of(x, x->loop)->loc;
    ir_expr size = number(x, (int32_t)at_once);
    enum whorl_dtype elem = (enum whorl_dtype)u->arrays[node_of(x, x->put)->store.array].elem;
    static const char *const names[] = {"key", "slot", "last"};
    ir_array *const made[] = {&x->key, &x->slot, &x->last};
    for (int k = 0; k < 3; k++)
        *made[k] = ir_add_array(u, names[k], k == 1 ? elem : WHORL_I32, IR_ARRAY_LOCAL, 1, &size, loc);
    pass_expansion_begin(room, u, room->target, room->sc, room->parfor);
    for (int k = 0; k < 3; k++) {
        if (!pass_expand_array(room, *made[k])) return false;
        u->arrays[room->to[*made[k]]].expanded = (uint8_t)u->stmts[room->parfor].parfor.dim_count;
    }
    return true;
}

bool pass_take_places(struct pass_scope *sc, const struct plan_target *target, ir_stmt parfor, ir_stmt s,
                      const uint32_t *reads, uint64_t passes, uint32_t at_once, struct pass_counters *out) {
    struct ir_unit *u = sc->u;
    const struct ir_stmt_node n = u->stmts[s];
    struct taker x = {.u = u, .loop = s};
    struct pass_expansion room = {.target = target, .sc = sc, .parfor = parfor};
    if (n.counted.step != 1 || u->vars[n.counted.var].type != IR_I32 || passes > INT32_MAX / 2 ||
        !pass_has_plain_dims(u, &u->stmts[parfor]) || pass_leaves_loop(u, n.counted.body))
        return false;
    if (!is_such(&x, reads) || !make_arrays(&x, &room, at_once)) return false;
    uint32_t vars = u->var_count;
    ir_var at = local(&x, "at", IR_I32), to = local(&x, "to", IR_I32), count = local(&x, "n", IR_I32);
    ir_stmt round = 0, made = ir_assign(u, at, n.counted.lo, n.loc);
    put(&x, &round, count,
        two(&x, IR_MIN, two(&x, IR_SUB, read_of(&x, to), read_of(&x, at)), number(&x, (int32_t)at_once)));
    out->shared[0] = make_asking(&x, at, count, vars);
    out->shared[1] = make_ranking(&x, count, at_once);
    out->shared[2] = make_passes(&x, at, count, vars, at_once);
    for (uint32_t k = 0; k < PASS_COUNTERS_LOOPS; k++)
        ir_append(u, &round, out->shared[k]);
    put(&x, &round, at, two(&x, IR_ADD, read_of(&x, at), read_of(&x, count)));
    pass_expand_accesses(&room, round);
    put(&x, &made, to, n.counted.hi);
    out->rounds = ir_loop(u, two(&x, IR_LT, read_of(&x, at), read_of(&x, to)), round, 0, n.loc);
    u->stmts[out->rounds].flags |= IR_FLAG_LONGEST;
    u->stmts[out->rounds].loop.tick_passes = (uint32_t)passes;
    u->stmts[out->rounds].loop.taken = (uint32_t)(passes / at_once + 1);
    u->stmts[out->rounds].next = n.next;
    ir_append(u, &made, out->rounds);
    u->stmts[s] = u->stmts[made];
    return true;
}

void pass_take_places_alone(struct ir_unit *u, ir_stmt rounds) {
    ir_stmt first = u->stmts[rounds].loop.body, shared[PASS_COUNTERS_LOOPS];
    uint32_t count = 0;
    for (ir_stmt s = first; s; s = u->stmts[s].next) {
        if (u->stmts[s].kind != IR_FOR) continue;
        if (count == PASS_COUNTERS_LOOPS) return;
        shared[count++] = s;
    }
    if (count != PASS_COUNTERS_LOOPS || u->stmts[first].kind != IR_ASSIGN) return;
    ir_expr one = ir_const_i32(u, 1), none = ir_const_i32(u, 0);
    u->stmts[first].assign.value = one;
    for (uint32_t k = 0; k < count; k++)
        for (ir_stmt s = u->stmts[shared[k]].counted.body; s; s = u->stmts[s].next)
            if (u->stmts[s].kind == IR_FOR) u->stmts[s].counted.hi = none; // no other pass of the round
}
