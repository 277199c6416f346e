// Reductions of what has several words: doubles that are pairs of floats (-fdouble=pair), 64-bit integers that are not
// proven to fit in 32 bits, and what `declare reduction` says. No operation of the IR combines these, so an iteration
// leaves its part in an array, and loops behind the parallel one add the parts up: blocks, blocks of blocks, and what
// is left in sequence. All three orders follow from the number of iterations alone.
#include <math.h>

#include "front/lower/lower_omp.h"

enum { MOST_PARTS = 1 << 24, FEW_PARTS = 64 };

static const struct combiner {
    uint8_t op; // enum front_op
    const char *function;
    float identity;
} combiners[] = {{FRONT_OP_ADD, "__wp_add", 0},
                 {FRONT_OP_MUL, "__wp_mul", 1},
                 {FRONT_OP_MIN, "__wp_fmin", INFINITY},
                 {FRONT_OP_MAX, "__wp_fmax", -INFINITY}};

bool lower_reduces_words(struct lower *lw, const struct front_omp_var *v) {
    const struct front_type *type = v->symbol->type;
    bool logical = v->op == FRONT_OP_LAND || v->op == FRONT_OP_LOR; // of a bool
    if (v->combine || front_is_pair(type)) return true;
    if (!lower_is_wide(type) || lw->user->int64_as_int32 || logical) return false;
    struct lower_ident *outer = lower_symbol_object(lw, v->symbol, v->loc)->ident;
    if (lower_ident_of(lw, v)->two_words && !outer->two_words) outer->two_words = lw->learned = true;
    return outer->two_words;
}

// What a 64-bit reduction begins with.
static ir_expr identity_of(struct lower *lw, const struct front_omp_var *v) {
    const struct front_type *type = v->symbol->type;
    bool is_signed = type->kind == FRONT_I64;
    uint64_t value = 0;
    switch (v->op) {
    case FRONT_OP_MUL: value = 1; break;
    case FRONT_OP_MIN: value = is_signed ? INT64_MAX : UINT64_MAX; break;
    case FRONT_OP_MAX: value = is_signed ? (uint64_t)INT64_MIN : 0; break;
    case FRONT_OP_AND: value = UINT64_MAX; break;
    default: break;
    }
    return lower_words_constant(lw, value, type, v->loc);
}

static const struct combiner *combiner_of(struct lower *lw, const struct front_omp_var *v) {
    for (size_t i = 0; i < sizeof combiners / sizeof *combiners; i++)
        if (combiners[i].op == v->op) return &combiners[i];
    base_unsupported(lw->cx, v->loc, "a double is reduced by +, *, min or max");
}

void lower_pairs_add(struct lower *lw, const struct front_omp_var *v, struct lower_bindings *list,
                     struct lower_pair_sums *out) {
    for (uint32_t i = 0; i < out->count; i++)
        if (out->items[i].clause->symbol == v->symbol) return;
    if (out->count == LOWER_MOST_PAIR_SUMS)
        base_unsupported(lw->cx, v->loc, "more than %d reductions of doubles and 64-bit integers on one loop",
                         LOWER_MOST_PAIR_SUMS);
    if (!v->combine && front_is_pair(v->symbol->type)) combiner_of(lw, v);
    struct lower_object *outer = lower_symbol_object(lw, v->symbol, v->loc);
    outer->region_private = false;
    out->items[out->count++] = (struct lower_pair_sum){.clause = v, .outer = outer};
    lower_share_bind(lw, list, v->symbol, FRONT_OMP_PRIVATE, v->loc);
    list->items[list->count - 1].is_sum = true;
}

void lower_pairs_collect(struct lower *lw, const struct front_omp *omp, const struct front_node *body,
                         struct lower_bindings *list, struct lower_pair_sums *out) {
    for (uint32_t i = 0; i < omp->var_count; i++)
        if (omp->vars[i].sharing & FRONT_OMP_REDUCTION && lower_reduces_words(lw, &omp->vars[i]))
            lower_pairs_add(lw, &omp->vars[i], list, out);
    for (uint32_t i = 0; i < lw->region_reduction_count; i++)
        if (lower_reduces_words(lw, lw->region_reductions[i]) && lower_mentions(body, lw->region_reductions[i]->symbol))
            lower_pairs_add(lw, lw->region_reductions[i], list, out);
}

static struct lower_value pair_value(const struct lower_place *place, struct lower *lw) {
    return lower_load(lw, lower_ptr_to(lw, *place), place->type, 0);
}

// ---- the parts ------------------------------------------------------------------------------------------------------

static struct lower_object *parts_of(struct lower *lw, const struct lower_pair_sum *sum, uint32_t level,
                                     uint64_t count) {
    const struct front_symbol *symbol = sum->clause->symbol;
    struct front_type *element = base_alloc(lw->cx, sizeof *element), *type = base_alloc(lw->cx, sizeof *type);
    *element = *symbol->type;
    element->quals = 0;
    *type = (struct front_type){.kind = FRONT_ARRAY, .base = element, .length = count};
    const char *name = base_format(lw->cx, "%s.parts", symbol->name);
    struct lower_object *parts =
        lower_object_create(lw, name, NULL, (const char *)sum->clause + 1 + level, type, sum->clause->loc);
    parts->region_private = false;
    parts->of_thread = true; // nobody's race: who wrote them has ended
    parts->ident->two_words = true;
    return parts;
}

// What the initializer says, which may look at the variable: before the loop, once for all.
struct lower_object *lower_pairs_neutral(struct lower *lw, const struct lower_pair_sum *sum, base_loc loc) {
    const struct front_omp_var *v = sum->clause;
    struct lower_object *neutral =
        lower_object_create(lw, v->symbol->name, NULL, &v->begin, v->begin->symbol->type->base, loc);
    struct lower_place to = lower_whole(neutral), outer = lower_whole(sum->outer);
    struct lower_value original = pair_value(&outer, lw);
    lower_store_place(lw, &to, lower_expand(lw, v->begin, neutral->ident, &original, loc), loc);
    return neutral;
}

void lower_pairs_make(struct lower *lw, struct lower_pair_sums *sums, const struct lower_space *space, uint32_t others,
                      base_loc loc) {
    const struct front_omp_var *parts = NULL; // the first that takes an element an iteration
    if (!sums->count) return;
    sums->numbering = lower_number_space(lw, space, loc);
    for (uint32_t i = 0; i < sums->count; i++) {
        if (!lower_limbs_make(lw, sums, &sums->items[i], others) && !parts) parts = sums->items[i].clause;
        if (sums->items[i].clause->begin) sums->items[i].neutral = lower_pairs_neutral(lw, &sums->items[i], loc);
    }
    if (parts && sums->numbering.most > MOST_PARTS) {
        bool words = !parts->combine && !front_is_pair(parts->symbol->type);
        const char *of = parts->combine ? "a declared kind" : words ? "64-bit integers" : "doubles";
        bool limbs = words && parts->op == FRONT_OP_ADD && sums->numbering.most > LOWER_MOST_LIMB_SUM;
        base_unsupported(lw->cx, loc,
                         "a %s of %s takes %s %d%s: write a loop over blocks around it, and the parallel loop over "
                         "these; where its end is computed, or under --uniform, end it at a constant, and leave the "
                         "rest out by an if",
                         limbs ? "sum" : "reduction", of, limbs ? "at most" : "an element an iteration, at most",
                         limbs ? LOWER_MOST_LIMB_SUM : MOST_PARTS, limbs ? " iterations" : "");
    }
    for (uint32_t i = 0; i < sums->count; i++)
        if (!sums->items[i].limb_count) sums->items[i].parts = parts_of(lw, &sums->items[i], 0, sums->numbering.most);
}

static void set_declared(struct lower *lw, const struct lower_pair_sum *sum, const struct lower_place *to,
                         base_loc loc) {
    if (!sum->neutral) {
        lower_fill(lw, to, 0, loc);
        return;
    }
    struct lower_place neutral = lower_whole(sum->neutral);
    lower_store_place(lw, to, pair_value(&neutral, lw), loc);
}

// One word after all: an element of an array (lower_rows.c).
static bool is_plain(const struct front_omp_var *v) {
    return !v->combine && front_is_arithmetic(v->symbol->type) && !lower_is_wide(v->symbol->type);
}

void lower_pairs_set_identity(struct lower *lw, const struct lower_pair_sum *sum, const struct lower_place *to,
                              base_loc loc) {
    const struct front_omp_var *v = sum->clause;
    if (v->combine) {
        set_declared(lw, sum, to, loc);
        return;
    }
    if (is_plain(v)) {
        enum ir_type type = lower_carrier(v->symbol->type);
        uint32_t bits = ir_identity((uint8_t)lower_reduction_op((enum front_op)v->op, type), type);
        lower_store_place(lw, to, (struct lower_value){.type = to->type, .e = ir_const(lw->u, type, bits)}, loc);
        return;
    }
    if (!front_is_pair(v->symbol->type)) {
        lower_store_place(lw, to, (struct lower_value){.type = to->type, .e = identity_of(lw, v)}, loc);
        return;
    }
    for (uint32_t k = 0; k < 2; k++) {
        struct lower_place half = lower_leaf_place(to, k);
        ir_expr start = ir_const_f32(lw->u, k ? 0.0f : combiner_of(lw, v)->identity);
        lower_store_place(lw, &half, (struct lower_value){.type = half.type, .e = start}, loc);
    }
}

void lower_pairs_begin(struct lower *lw, const struct lower_pair_sums *sums, base_loc loc) {
    for (uint32_t i = 0; i < sums->count; i++) {
        const struct front_omp_var *v = sums->items[i].clause;
        struct lower_place own = lower_whole(lw->objects[v->symbol->id]);
        lower_pairs_set_identity(lw, &sums->items[i], &own, loc);
    }
}

void lower_pairs_save(struct lower *lw, const struct lower_pair_sums *sums, const struct lower_space *space,
                      base_loc loc) {
    if (!sums->count) return;
    ir_expr number = lower_number_of(lw, &sums->numbering, space, loc);
    for (uint32_t i = 0; i < sums->count; i++) {
        const struct lower_pair_sum *sum = &sums->items[i];
        if (sum->limb_count) {
            lower_limbs_save(lw, sum, loc);
            continue;
        }
        struct lower_place own = lower_whole(lw->objects[sum->clause->symbol->id]);
        struct lower_place to = lower_element(lw, lower_whole(sum->parts), number, loc);
        lower_store_place(lw, &to, pair_value(&own, lw), loc);
    }
}

// ---- adding up ------------------------------------------------------------------------------------------------------

static void combine_longs(struct lower *lw, const struct front_omp_var *v, const struct lower_place *acc,
                          const struct lower_place *part, base_loc loc) {
    const struct front_type *type = v->symbol->type;
    ir_expr a = lower_load_place(lw, acc, loc), b = lower_snapshot(lw, lower_load_place(lw, part, loc), loc), e;
    if (v->op == FRONT_OP_MIN || v->op == FRONT_OP_MAX) {
        enum front_op op = v->op == FRONT_OP_MIN ? FRONT_OP_LT : FRONT_OP_GT;
        e = lower_words_select(lw, lower_words_compare(lw, op, b, a, type, loc), b, a, loc);
    } else {
        e = lower_words_binary(lw, (enum front_op)v->op, a, b, type, loc);
    }
    lower_store_place(lw, acc, (struct lower_value){.type = acc->type, .e = e}, loc);
}

// acc = acc OP what the place holds
void lower_pairs_combine(struct lower *lw, const struct lower_pair_sum *sum, const struct lower_place *acc,
                         const struct lower_place *part, const void *key, base_loc loc) {
    struct front_function *declared = sum->clause->combine;
    if (is_plain(sum->clause)) {
        enum ir_op op = lower_reduction_op((enum front_op)sum->clause->op, lower_carrier(sum->clause->symbol->type));
        ir_expr e = lower_fold2(lw, op, lower_load_place(lw, acc, loc), lower_load_place(lw, part, loc), loc);
        lower_store_place(lw, acc, (struct lower_value){.type = acc->type, .e = e}, loc);
        return;
    }
    if (!declared && !front_is_pair(sum->clause->symbol->type)) {
        combine_longs(lw, sum->clause, acc, part, loc);
        return;
    }
    struct front_function *f =
        declared ? declared : front_find_function(lw->ast, combiner_of(lw, sum->clause)->function);
    struct lower_value values[2];
    values[0] = pair_value(acc, lw);
    values[1] = pair_value(part, lw);
    struct lower_value result = lower_expand(lw, f, key, values, loc);
    lower_store_place(lw, acc, result, loc);
}

struct fold {
    const struct lower_pair_sum *sum;
    struct lower_object *from;
    ir_expr first, stride, end; // elements first, first + stride, ... below end
    ir_var counter;
};

static void fold_into(struct lower *lw, const struct fold *f, const struct lower_place *acc, base_loc loc) {
    struct lower_block body = {0, 0};
    struct lower_block *before = lower_enter(lw, &body);
    struct lower_place part = lower_element(lw, lower_whole(f->from), ir_var_read(lw->u, f->counter, loc), loc);
    lower_pairs_combine(lw, f->sum, acc, &part, f->from->ident, loc);
    lower_leave(lw, before);
    int64_t stride = 1;
    lower_const_int(lw, f->stride, &stride);
    lower_emit(lw, ir_for(lw->u, f->counter, f->first, f->end, (int32_t)stride, body.head, loc));
}

void lower_emit_adding_loop(struct lower *lw, const struct ir_dim *dims, uint32_t n, ir_stmt body, base_loc loc) {
    struct ir_unit *u = lw->u;
    ir_stmt s = ir_add_stmt(u, IR_PARFOR, loc);
    uint32_t first = ir_add_dims(u, dims, n);
    u->stmts[s].parfor.dim_count = n;
    u->stmts[s].parfor.dims = first;
    u->stmts[s].parfor.body = body;
    lower_emit(lw, s);
    if (lw->in_region) lower_mark(lw, IR_MARK_ONE, 0, loc); // who goes on
}

// A parallel loop that adds up `blocks` blocks of the elements, neighbours side by side.
static struct lower_object *add_blocks(struct lower *lw, const struct lower_pair_sum *sum, struct lower_object *from,
                                       ir_expr count, uint32_t blocks, uint32_t level, base_loc loc) {
    struct ir_unit *u = lw->u;
    struct lower_object *to = parts_of(lw, sum, level, blocks);
    struct ir_dim dim = {lower_new_var(lw, "block", IR_I32, IR_VAR_DIM, loc), ir_const_i32(u, 0),
                         ir_const_i32(u, (int32_t)blocks), 1};
    lower_set_range(lw, dim.var, (struct lower_range){0, (int64_t)blocks - 1});
    struct lower_block body = {0, 0};
    struct lower_block *before = lower_enter(lw, &body);
    lw->in_parfor = true;
    struct lower_object *own =
        lower_object_create(lw, sum->clause->symbol->name, NULL, (const char *)to->ident + 1, to->type->base, loc);
    struct lower_place acc = lower_whole(own);
    own->ident->two_words = true;
    lower_pairs_set_identity(lw, sum, &acc, loc);
    ir_expr block = ir_var_read(u, dim.var, loc);
    struct fold f = {sum, from, block, dim.hi, count, lower_new_var(lw, "part", IR_I32, IR_VAR_LOCAL, loc)};
    fold_into(lw, &f, &acc, loc);
    struct lower_place slot = lower_element(lw, lower_whole(to), block, loc);
    lower_store_place(lw, &slot, pair_value(&acc, lw), loc);
    lw->in_parfor = false;
    lower_leave(lw, before);
    lower_emit_adding_loop(lw, &dim, 1, body.head, loc);
    return to;
}

void lower_pairs_end(struct lower *lw, const struct lower_pair_sums *sums, base_loc loc) {
    for (uint32_t i = 0; i < sums->count; i++) {
        const struct lower_pair_sum *sum = &sums->items[i];
        if (sum->limb_count) {
            lower_limbs_end(lw, sum, loc);
            continue;
        }
        struct lower_object *from = sum->parts;
        ir_expr count = sums->numbering.total;
        uint64_t left = sums->numbering.most;
        for (uint32_t level = 1; level <= 2 && left > FEW_PARTS; level++) {
            double share = cbrt((double)sums->numbering.most); // three levels of about the same length
            left = (uint64_t)ceil((double)left / fmax(ceil(share), 8));
            from = add_blocks(lw, sum, from, count, (uint32_t)left, level, loc);
            count = ir_const_i32(lw->u, (int32_t)left);
        }
        struct lower_place acc = lower_whole(sum->outer);
        ir_var counter = lower_new_var(lw, "part", IR_I32, IR_VAR_ENTRY, loc);
        struct fold f = {sum, from, ir_const_i32(lw->u, 0), ir_const_i32(lw->u, 1), count, counter};
        fold_into(lw, &f, &acc, loc);
        sum->outer->varying = false;
    }
}
