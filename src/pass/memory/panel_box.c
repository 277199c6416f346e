// Boxes: an index that is linear in what is alike for a workgroup, in the number of the lane, in counters of loops and
// in constants is a place where all begin, and a distance from there. The distances' ranges span the box.
#include "pass/memory/panel.h"

#include <string.h>

static enum panel_role role_of(const struct panel *x, ir_var v) {
    return v < x->var_cap ? (enum panel_role)x->roles[v] : PANEL_OTHER;
}

// How far apart neighbouring lanes read.
static void note_lane(struct panel_box *box, uint32_t d, int64_t coef) {
    uint32_t rows = (uint32_t)(coef < 0 ? -coef : coef);
    box->of_lanes = true;
    if (d + 1 == box->n) box->along_lanes = true;
    if (d + 2 == box->n && (!box->skew || rows < box->skew)) box->skew = rows;
}

// Splits an index into the box's own part and what is added. False: it is none of the kind.
static bool split(const struct panel *x, const struct pass_affine *f, struct panel_box *box, uint32_t d) {
    box->low[d] = box->high[d] = box->own_low[d] = box->own_high[d] = f->constant;
    if (!f->ok) return false;
    box->begin[d] = (struct pass_affine){.ok = true};
    for (uint32_t i = 0; i < f->n; i++) {
        ir_var v = f->vars[i];
        int64_t a, b;
        if (role_of(x, v) == PANEL_OTHER || f->coefs[i] > INT32_MAX || f->coefs[i] < INT32_MIN) return false;
        a = f->coefs[i] * x->first[v];
        b = f->coefs[i] * x->last[v];
        switch (role_of(x, v)) {
        case PANEL_ALIKE:
            box->begin[d].vars[box->begin[d].n] = v;
            box->begin[d].coefs[box->begin[d].n++] = f->coefs[i];
            break;
        case PANEL_PASS: box->along[d] = f->coefs[i]; break;
        case PANEL_INNER: box->own_low[d] += a < b ? a : b; box->own_high[d] += a < b ? b : a; // fall through
        case PANEL_LANE:
            if (role_of(x, v) == PANEL_LANE) note_lane(box, d, f->coefs[i]);
            box->low[d] += a < b ? a : b;
            box->high[d] += a < b ? b : a;
            break;
        default: return false;
        }
    }
    return box->high[d] - box->low[d] < PASS_PANEL_WORDS && box->high[d] < INT32_MAX / 2 && box->low[d] > INT32_MIN / 2;
}

static bool same_form(const struct pass_affine *a, const struct pass_affine *b) {
    if (a->n != b->n) return false;
    for (uint32_t i = 0; i < a->n; i++)
        if (pass_affine_coef(b, a->vars[i]) != a->coefs[i]) return false;
    return true;
}

static bool same_place(const struct panel_box *a, const struct panel_box *b) {
    if (a->array != b->array || a->n != b->n) return false;
    for (uint32_t d = 0; d < a->n; d++)
        if (a->along[d] != b->along[d] || !same_form(&a->begin[d], &b->begin[d])) return false;
    return true;
}

// A copy of the array's words is right, and some are there.
static bool may_copy(const struct panel *x, ir_array a) {
    const struct ir_array_info *info = &x->u->arrays[a];
    return ir_in_buffer(x->u, a) && info->klass != IR_ARRAY_TABLE && !ir_bit(x->written, a) && !info->atomic &&
           ir_elem_type((enum whorl_dtype)info->elem) != IR_BOOL &&
           pass_elements(x->u, a, 0, PASS_MOST_INDEXED) - 1 < PASS_MOST_INDEXED;
}

static bool is_signed_place(const struct panel *x, const struct pass_access *a) {
    for (uint32_t d = 0; d < a->n; d++)
        if (x->u->nodes[a->indices[d]].type != IR_I32) return false;
    return true;
}

static uint32_t box_of(struct panel *x, const struct pass_access *a) {
    struct panel_box box = {.array = a->array, .n = a->n};
    if (!may_copy(x, a->array) || !is_signed_place(x, a)) return PANEL_BOXES;
    for (uint32_t d = 0; d < a->n; d++)
        if (!split(x, &a->sub[d], &box, d)) return PANEL_BOXES;
    uint32_t at = 0;
    while (at < x->box_count && !same_place(&x->boxes[at], &box))
        at++;
    if (at == PANEL_BOXES) return PANEL_BOXES;
    if (at == x->box_count) x->boxes[x->box_count++] = box;
    struct panel_box *found = &x->boxes[at];
    for (uint32_t d = 0; d < a->n; d++) {
        if (box.low[d] < found->low[d]) found->low[d] = box.low[d];
        if (box.high[d] > found->high[d]) found->high[d] = box.high[d];
        if (box.own_low[d] < found->own_low[d]) found->own_low[d] = box.own_low[d];
        if (box.own_high[d] > found->own_high[d]) found->own_high[d] = box.own_high[d];
    }
    if (box.skew && (!found->skew || box.skew < found->skew)) found->skew = box.skew;
    found->along_lanes |= box.along_lanes;
    found->of_lanes |= box.of_lanes;
    found->reads += x->runs[a->stmt];
    return at;
}

void panel_find_boxes(struct panel *x, const struct pass_accesses *accesses) {
    x->box_count = x->load_count = 0;
    x->loads = base_alloc_array(x->u->cx, accesses->count + 1, sizeof *x->loads);
    for (uint32_t i = 0; i < accesses->count; i++) {
        const struct pass_access *a = &accesses->items[i];
        if (a->store) continue;
        struct panel_load *load = &x->loads[x->load_count++];
        load->load = a->load;
        load->box = box_of(x, a);
        for (uint32_t d = 0; d < a->n; d++)
            load->index[d] = a->sub[d];
    }
}

// Whole vectors of workgroup memory come from whole vectors of the array, where both begin at multiples.
static bool begins_at_vectors(const struct panel *x, const struct panel_box *box, uint64_t passes) {
    uint32_t last = box->n - 1, length = 0;
    if (!ir_is_const(x->u, x->u->arrays[box->array].dims[last], &length) || length % IR_STAGED_VECTOR) return false;
    for (uint32_t i = 0; i < box->begin[last].n; i++)
        if (box->begin[last].coefs[i] % IR_STAGED_VECTOR) return false;
    return (box->along[last] * (int64_t)passes) % IR_STAGED_VECTOR == 0;
}

static void measure(struct panel *x, struct panel_box *box, uint64_t passes) {
    int64_t low[IR_MAX_DIMS];
    box->words = box->own = 1;
    for (uint32_t d = 0; d < box->n; d++) {
        int64_t further = box->along[d] * ((int64_t)passes - 1), high = box->high[d] + (further > 0 ? further : 0);
        low[d] = box->low[d] + (further < 0 ? further : 0);
        box->own *= (uint64_t)(box->own_high[d] - box->own_low[d] + (further < 0 ? -further : further)) + 1;
        if (box->own > PASS_PANEL_WORDS) box->own = PASS_PANEL_WORDS;
        if (d + 1 == box->n && begins_at_vectors(x, box, passes)) {
            int64_t first = low[d] + box->along[d] * x->first[x->u->stmts[x->loop].counted.var],
                    past = (first % IR_STAGED_VECTOR + IR_STAGED_VECTOR) % IR_STAGED_VECTOR;
            low[d] -= past;
            high += IR_STAGED_VECTOR - 1 - (high - low[d]) % IR_STAGED_VECTOR;
        }
        uint64_t extent = (uint64_t)(high - low[d]) + 1;
        box->extent[d] = extent < PASS_PANEL_WORDS ? (uint32_t)extent : PASS_PANEL_WORDS;
        box->words *= box->extent[d];
        if (box->words > PASS_PANEL_WORDS) box->words = PASS_PANEL_WORDS + 1;
    }
    if (box->along_lanes) box->skew = 0;
    if (box->skew) box->words += box->words / box->extent[box->n - 1] / box->skew * IR_STAGED_VECTOR;
    memcpy(box->low, low, sizeof low);
}

uint64_t panel_measure(struct panel *x, uint64_t passes, uint32_t *out_kept) {
    uint64_t words = 0;
    *out_kept = 0;
    for (uint32_t i = 0; i < x->box_count; i++) {
        struct panel_box sized = x->boxes[i];
        measure(x, &sized, passes);
        uint64_t reads = sized.reads * passes < sized.own ? sized.reads * passes : sized.own;
        // One word for all lanes is one access, which the nearest cache answers if it may hold the array.
        bool pays = reads * PASS_WORKGROUP >= PASS_PANEL_READS * sized.words &&
                    (sized.of_lanes || (x->p->one_kernel && ir_bit(x->shared, sized.array)));
        x->boxes[i].words = pays ? sized.words : 0;
        words += pays ? sized.words : 0;
        *out_kept += pays;
    }
    return words;
}

void panel_settle(struct panel *x, uint64_t passes) {
    for (uint32_t i = 0; i < x->box_count; i++)
        if (x->boxes[i].words) measure(x, &x->boxes[i], passes);
}

// ---- expressions ----------------------------------------------------------------------------------------------------

static ir_expr add_term(struct ir_unit *u, ir_expr sum, ir_var v, int64_t coef) {
    if (coef == 0) return sum;
    ir_expr term = ir_var_read(u, v, u->vars[v].loc);
    if (u->vars[v].type == IR_U32) term = ir_op1(u, IR_U2I, term, u->vars[v].loc);
    if (coef != 1) term = ir_op2(u, IR_MUL, term, ir_const_i32(u, (int32_t)coef), u->vars[v].loc);
    return sum ? ir_op2(u, IR_ADD, sum, term, u->vars[v].loc) : term;
}
static ir_expr add_constant(struct ir_unit *u, ir_expr sum, int64_t constant) {
    if (!sum) return ir_const_i32(u, (int32_t)constant);
    return constant ? ir_op2(u, IR_ADD, sum, ir_const_i32(u, (int32_t)constant), 0) : sum;
}

ir_expr panel_origin(struct panel *x, const struct panel_box *box, uint32_t d, ir_var stretch, uint64_t passes) {
    ir_expr sum = 0;
    int64_t first = x->first[x->u->stmts[x->loop].counted.var];
    for (uint32_t i = 0; i < box->begin[d].n; i++)
        sum = add_term(x->u, sum, box->begin[d].vars[i], box->begin[d].coefs[i]);
    if (stretch) sum = add_term(x->u, sum, stretch, box->along[d] * (int64_t)passes);
    return add_constant(x->u, sum, box->low[d] + box->along[d] * first);
}

ir_expr panel_load_of(struct panel *x, const struct panel_load *load, ir_var pass) {
    struct ir_unit *u = x->u;
    const struct panel_box *box = &x->boxes[load->box];
    ir_expr indices[IR_MAX_DIMS];
    for (uint32_t d = 0; d < box->n; d++) {
        const struct pass_affine *f = &load->index[d];
        indices[d] = 0;
        for (uint32_t i = 0; i < f->n; i++) {
            enum panel_role role = role_of(x, f->vars[i]);
            if (role == PANEL_LANE || role == PANEL_INNER)
                indices[d] = add_term(u, indices[d], f->vars[i], f->coefs[i]);
        }
        indices[d] = add_term(u, indices[d], pass, box->along[d]);
        indices[d] = add_constant(u, indices[d], f->constant - box->low[d]);
    }
    return ir_load(u, box->staged, indices, box->n, u->nodes[load->load].loc);
}
