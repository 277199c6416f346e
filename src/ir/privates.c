// Which arrays a parallel loop updates in copies of its workgroups, and where these stand.
#include "ir/ir.h"

struct walk {
    const struct ir_unit *u;
    struct ir_privates *out;
};

static struct ir_private *find(struct ir_privates *p, ir_array array) {
    for (uint32_t i = 0; i < p->count; i++)
        if (p->list[i].array == array) return &p->list[i];
    return NULL;
}

static uint32_t words_of(const struct ir_unit *u, ir_array a) {
    enum { MOST = 1 << 20 }; // more than any workgroup has
    const struct ir_array_info *info = &u->arrays[a];
    uint64_t words = 1;
    for (uint32_t d = 0; d < info->ndims; d++) {
        uint32_t bits;
        if (!ir_is_const(u, info->dims[d], &bits) || bits == 0 || (words *= bits) > MOST) return 0;
    }
    return (uint32_t)words;
}

static bool on_update(void *user, ir_stmt s) {
    struct walk *w = user;
    const struct ir_stmt_node *n = &w->u->stmts[s];
    if (n->kind != IR_ATOMIC || !(n->flags & IR_FLAG_GROUP)) return true;
    struct ir_privates *out = w->out;
    const struct ir_private *old = find(out, n->atomic.array);
    if (n->atomic.old) out->wrong = "takes an old value from a copy";
    if (n->atomic.op == IR_SELECT) out->wrong = "exchanges a value of a copy";
    if (old && old->op != n->atomic.op) out->wrong = "updates a copy by two operators";
    if (old || out->wrong) return true;
    uint32_t words = words_of(w->u, n->atomic.array);
    if (!words || out->count == IR_MAX_PRIVATES) {
        out->wrong = words ? "updates too many copies" : "updates a copy of an array of unknown size";
        return true;
    }
    out->list[out->count++] = (struct ir_private){n->atomic.array, (uint8_t)n->atomic.op, out->words, words};
    out->words += words;
    return true;
}

static bool on_other(void *user, ir_stmt s) {
    struct walk *w = user;
    const struct ir_stmt_node *n = &w->u->stmts[s];
    bool in_copy = n->kind == IR_ATOMIC && n->flags & IR_FLAG_GROUP;
    if (!in_copy && find(w->out, ir_write_of(n).array)) w->out->wrong = "writes an array that it updates in copies";
    return true;
}

static bool on_node(void *user, ir_expr e) {
    struct walk *w = user;
    const struct ir_node *n = &w->u->nodes[e];
    if (n->op == IR_LOAD && find(w->out, n->a)) w->out->wrong = "reads an array that it updates in copies";
    return true;
}

struct ir_privates ir_privates_of(const struct ir_unit *u, ir_stmt parfor) {
    const struct ir_stmt_node *n = &u->stmts[parfor];
    struct ir_privates out = {.count = 0};
    struct walk w = {u, &out};
    ir_walk_stmts(u, n->parfor.body, on_update, &w);
    if (!out.count) return out;
    struct ir_visitor others = {.on_stmt = on_other, .on_node = on_node, .user = &w};
    ir_walk_block(u, n->parfor.body, &others);
    for (uint32_t d = 0; d < n->parfor.dim_count; d++) {
        ir_walk_expr(u, u->dims[n->parfor.dims + d].lo, on_node, &w);
        ir_walk_expr(u, u->dims[n->parfor.dims + d].hi, on_node, &w);
    }
    if (n->parfor.tile_rows || (n->flags & IR_FLAG_LANES && !n->parfor.lane_var))
        out.wrong = "has copies, and tiles or lanes of a workgroup";
    return out;
}

uint32_t ir_private_identity(const struct ir_unit *u, const struct ir_private *p) {
    enum ir_type type = ir_elem_type((enum whorl_dtype)u->arrays[p->array].elem);
    return type == IR_F32 ? 0x80000000u : ir_identity(p->op, type);
}
