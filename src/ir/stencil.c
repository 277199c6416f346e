#include "ir/stencil.h"

struct finder {
    const struct ir_unit *u;
    struct ir_tile *tile;
    struct ir_effects fx;
    bool wrong;
};

// The expression as variable + constant.
static bool offset_of(const struct ir_unit *u, ir_expr e, ir_var var, int32_t *out) {
    const struct ir_node *n = &u->nodes[e];
    uint32_t bits = 0;
    bool sum = (n->op == IR_ADD || n->op == IR_SUB) && ir_is_const(u, n->b, &bits);
    const struct ir_node *v = sum ? &u->nodes[n->a] : n;
    if (bits == 0x80000000u) return false;
    *out = n->op == IR_SUB ? -(int32_t)bits : (int32_t)bits;
    return v->op == IR_VAR && v->a == var && *out >= -IR_TILE_REACH && *out <= IR_TILE_REACH;
}

static bool same_lead(const struct ir_plane *p, ir_array array, const uint32_t *lead, uint32_t n) {
    bool same = p->array == array;
    for (uint32_t k = 0; k + 2 < n && same; k++)
        same = p->lead[k] == lead[k];
    return same;
}

static bool place_of(const struct ir_unit *u, const struct ir_tile *tile, const ir_expr *indices, uint32_t n,
                     uint32_t *lead, int32_t *c, int32_t *d) {
    if (n < 2 || !offset_of(u, indices[n - 2], tile->i, c) || !offset_of(u, indices[n - 1], tile->j, d)) return false;
    for (uint32_t k = 0; k + 2 < n; k++)
        if (!ir_is_const(u, indices[k], &lead[k])) return false;
    return true;
}

const struct ir_plane *ir_tile_plane(const struct ir_unit *u, const struct ir_tile *tile, ir_array array,
                                     const ir_expr *indices, uint32_t n, int32_t *c, int32_t *d) {
    uint32_t lead[IR_MAX_DIMS];
    if (!place_of(u, tile, indices, n, lead, c, d)) return NULL;
    for (uint32_t k = 0; k < tile->count; k++)
        if (same_lead(&tile->planes[k], array, lead, n)) return &tile->planes[k];
    return NULL;
}

static bool on_node(void *user, ir_expr e) {
    struct finder *f = user;
    const struct ir_unit *u = f->u;
    const struct ir_node *n = &u->nodes[e];
    const struct ir_array_info *info = &u->arrays[n->op == IR_LOAD ? n->a : 0];
    uint32_t lead[IR_MAX_DIMS], at = 0;
    int32_t c, d;
    if (n->op != IR_LOAD || !ir_in_buffer(u, n->a) || info->klass == IR_ARRAY_TABLE || info->atomic ||
        (info->elem != WHORL_F32 && info->elem != WHORL_I32 && info->elem != WHORL_U32) ||
        ir_bit(f->fx.arrays_written, n->a) || !place_of(u, f->tile, u->args + n->b, n->n, lead, &c, &d))
        return true;
    while (at < f->tile->count && !same_lead(&f->tile->planes[at], n->a, lead, n->n))
        at++;
    if (at == IR_TILE_PLANES) return true; // an ordinary load
    struct ir_plane *p = &f->tile->planes[at];
    if (at == f->tile->count) {
        f->tile->count++;
        *p = (struct ir_plane){
            .array = n->a, .low = c, .high = c, .side_low = IR_TILE_REACH + 1, .side_high = -IR_TILE_REACH - 1};
        for (uint32_t k = 0; k + 2 < n->n; k++)
            p->lead[k] = lead[k];
    }
    p->count += !p->cells[c + IR_TILE_REACH][d + IR_TILE_REACH];
    p->cells[c + IR_TILE_REACH][d + IR_TILE_REACH] = true;
    p->low = c < p->low ? c : p->low;
    p->high = c > p->high ? c : p->high;
    if (d != 0) {
        p->side_low = c < p->side_low ? c : p->side_low;
        p->side_high = c > p->side_high ? c : p->side_high;
    }
    p->left = -d > p->left ? -d : p->left;
    p->right = d > p->right ? d : p->right;
    return true;
}
static bool on_stmt(void *user, ir_stmt s) {
    struct finder *f = user;
    uint8_t kind = f->u->stmts[s].kind;
    f->wrong |= kind != IR_ASSIGN && kind != IR_STORE && kind != IR_IF && kind != IR_NOP;
    return true;
}

bool ir_tile_of(const struct ir_unit *u, ir_stmt parfor, struct ir_tile *out) {
    const struct ir_stmt_node *n = &u->stmts[parfor];
    const struct ir_dim *dims = u->dims + n->parfor.dims;
    uint32_t bits;
    if (n->kind != IR_PARFOR || n->parfor.reduction_count || (n->flags & IR_FLAG_LANES) || n->parfor.dim_count != 2 ||
        !n->parfor.body)
        return false;
    *out = (struct ir_tile){.i = dims[0].var, .j = dims[1].var};
    for (uint32_t d = 0; d < 2; d++) {
        out->lo[d] = dims[d].lo;
        out->hi[d] = dims[d].hi;
        if (dims[d].step != 1 || u->vars[dims[d].var].type != IR_I32 || !ir_is_const(u, dims[d].lo, &bits) ||
            !ir_is_const(u, dims[d].hi, &bits))
            return false;
    }
    struct finder f = {.u = u, .tile = out, .fx = ir_effects_of(u, n->parfor.body)};
    struct ir_visitor visitor = {.on_stmt = on_stmt, .on_node = on_node, .user = &f};
    ir_walk_block(u, n->parfor.body, &visitor);
    uint32_t kept = 0;
    for (uint32_t k = 0; k < out->count; k++)
        if (out->planes[k].count > 1) out->planes[kept++] = out->planes[k];
    out->count = kept;
    return !f.wrong && kept > 0;
}
