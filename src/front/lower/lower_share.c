// Who owns what in a parallel loop: private copies, reductions, the value of the last iteration.
#include "front/lower/lower_omp.h"

void lower_share_bind(struct lower *lw, struct lower_bindings *list, struct front_symbol *symbol, uint8_t sharing,
                      base_loc loc) {
    for (uint32_t i = 0; i < list->count; i++)
        if (list->items[i].symbol == symbol) {
            list->items[i].sharing |= sharing;
            return;
        }
    struct lower_object *outer = lower_symbol_object(lw, symbol, loc);
    BASE_RESERVE(lw->cx, list->items, list->count, list->cap);
    list->items[list->count++] = (struct lower_binding){.symbol = symbol, .outer = outer, .sharing = sharing};
}

// ---- private copies -------------------------------------------------------------------------------------------------

void lower_share_begin(struct lower *lw, struct lower_bindings *list, const struct front_omp *omp) {
    base_loc loc = omp->loc;
    for (uint32_t i = 0; i < list->count; i++) {
        struct lower_binding *b = &list->items[i];
        b->own = lower_object_create(lw, b->symbol->name, b->symbol, (const char *)omp + 1 + i, b->symbol->type,
                                     b->symbol->loc);
        b->own->region_private = b->own->ident->per_thread; // of a region
        if (b->sharing & FRONT_OMP_FIRSTPRIVATE) {
            struct lower_phase phase;
            bool each = lower_is_per_thread(b->own) && !lw->in_parfor;
            if (each) lower_phase_begin(lw, &phase, 0, loc);
            struct lower_place to = lower_whole(b->own), from = lower_whole(b->outer);
            if (b->symbol->type->kind == FRONT_ARRAY) {
                lower_copy(lw, &to, &from, loc);
            } else {
                struct lower_value value = lower_load(lw, lower_ptr_to(lw, from), b->symbol->type, loc);
                lower_store_place(lw, &to, value, loc);
            }
            if (each) lower_phase_end(lw, &phase, NULL, 0, loc);
        }
        lw->objects[b->symbol->id] = b->own;
    }
    list->around = lw->shares;
    lw->shares = list;
}

void lower_share_end(struct lower *lw, struct lower_bindings *list) {
    if (lw->shares == list) lw->shares = list->around;
    for (uint32_t i = 0; i < list->count; i++) {
        struct lower_binding *b = &list->items[i];
        lw->objects[b->symbol->id] = b->outer;
        if (b->made_varying) lower_set_varying(lw, b->outer);
    }
}

uint32_t lower_share_leave(struct lower *lw, struct lower_meaning **out) {
    uint32_t count = 0, cap = 0;
    *out = NULL;
    for (const struct lower_bindings *list = lw->shares; list; list = list->around) {
        for (uint32_t i = 0; i < list->count; i++) {
            const struct lower_binding *b = &list->items[i];
            if (b->symbol->kind != FRONT_SYM_GLOBAL || b->is_sum) continue;
            BASE_RESERVE(lw->cx, *out, count, cap);
            (*out)[count++] = (struct lower_meaning){b->symbol->id, lw->objects[b->symbol->id]};
            lw->objects[b->symbol->id] = b->outer;
        }
    }
    return count;
}

void lower_share_return(struct lower *lw, const struct lower_meaning *meanings, uint32_t count) {
    while (count-- > 0)
        lw->objects[meanings[count].symbol] = meanings[count].object;
}

void lower_share_clauses(struct lower *lw, struct lower_bindings *list, const struct front_omp *omp) {
    for (uint32_t i = 0; i < omp->var_count; i++) {
        const struct front_omp_var *v = &omp->vars[i];
        uint8_t own = v->sharing & (FRONT_OMP_PRIVATE | FRONT_OMP_FIRSTPRIVATE | FRONT_OMP_LASTPRIVATE);
        if (v->sharing & FRONT_OMP_LINEAR) own |= FRONT_OMP_LINEAR | FRONT_OMP_LASTPRIVATE;
        if (!own) continue;
        lower_share_bind(lw, list, v->symbol, own, v->loc);
        list->items[list->count - 1].clause = v;
    }
}

// ---- linear ---------------------------------------------------------------------------------------------------------

struct stepping {
    const struct front_symbol *symbol;
    bool written;
};

static bool is_stepped(void *user, const struct front_node *n) {
    struct stepping *q = user;
    if ((n->kind == FRONT_ASSIGN || n->kind == FRONT_ASSIGN_OP || n->kind == FRONT_ADDR) && n->a->kind == FRONT_VAR &&
        n->a->symbol == q->symbol)
        q->written = true;
    return !q->written;
}

// The constant that an expression statement adds to the variable.
static bool adds_constant(struct lower *lw, const struct front_node *s, const struct front_symbol *symbol,
                          int64_t *out) {
    if (s->kind != FRONT_EXPR || s->a->kind != FRONT_ASSIGN_OP) return false;
    struct front_node *n = s->a;
    bool adds = n->op == FRONT_OP_ADD || n->op == FRONT_OP_SUB;
    if (!adds || n->a->kind != FRONT_VAR || n->a->symbol != symbol || n->b->kind != FRONT_INT) return false;
    if (!lower_const_int(lw, lower_int_of(lw, n->b), out)) return false;
    if (n->op == FRONT_OP_SUB) *out = -*out;
    return true;
}

// OpenMP gives each iteration the value that the steps before it make, and C compilers differ about it where the body
// does not make these steps itself. That it makes none, or one other constant as a statement of its own, is plain to
// see.
void lower_linear_check(struct lower *lw, const struct front_omp_var *v, struct front_node *body) {
    const char *name = v->symbol->name;
    struct stepping q = {v->symbol, false};
    lower_scan(body, is_stepped, &q);
    if (!q.written) base_unsupported(lw->cx, v->loc, "linear(%s): the loop's body must step '%s' itself", name, name);
    int64_t stated = 1, made = 0, sum = 0;
    if (v->step && !lower_const_int(lw, lower_int_of(lw, v->step), &stated)) return;
    struct front_node single = *body; // a body without braces
    single.next = NULL;
    for (struct front_node *s = body->kind == FRONT_BLOCK ? body->a : &single; s; s = s->next) {
        q.written = false;
        lower_scan(s, is_stepped, &q);
        if (!q.written) continue;
        if (!adds_constant(lw, s, v->symbol, &made)) return;
        sum += made;
    }
    if (sum != stated)
        base_unsupported(lw->cx, v->loc, "linear(%s : %lld): the loop's body steps '%s' by %lld", name,
                         (long long)stated, name, (long long)sum);
}

void lower_linear_steps(struct lower *lw, struct lower_bindings *list) {
    for (uint32_t i = 0; i < list->count; i++) {
        struct lower_binding *b = &list->items[i];
        if (!(b->sharing & FRONT_OMP_LINEAR)) continue;
        if (!front_is_integer(b->symbol->type))
            base_unsupported(lw->cx, b->clause->loc, "linear(%s): only integers, for now", b->symbol->name);
        b->step = b->clause->step ? lower_snapshot(lw, lower_int_of(lw, b->clause->step), b->clause->loc)
                                  : ir_const_i32(lw->u, 1);
    }
}

// How many iterations come before this one.
static ir_expr iteration_number(struct lower *lw, const struct lower_space *space, base_loc loc) {
    ir_expr number = ir_const_i32(lw->u, 0);
    for (uint32_t d = 0; d < space->n; d++) {
        const struct ir_dim *dim = &space->dims[d];
        if (space->guarded[d])
            base_unsupported(lw->cx, loc, "linear on a collapsed loop whose inner bounds depend on the outer one");
        ir_expr at = lower_fold2(lw, IR_SUB, ir_var_read(lw->u, dim->var, loc), dim->lo, loc);
        at = lower_fold2(lw, IR_DIV, lower_as(lw, at, IR_I32, loc), ir_const_i32(lw->u, dim->step), loc);
        number = lower_fold2(lw, IR_MUL, number, lower_trips(lw, dim, loc), loc);
        number = lower_fold2(lw, IR_ADD, number, at, loc);
    }
    return number;
}

// What was computed in 32 bits, such as partial results, cut to the bits of a smaller type; a range that the variable's
// type promises does not hold yet.
static ir_expr cut_to_type(struct lower *lw, ir_expr e, const struct front_type *type, base_loc loc) {
    if (!front_is_integer(type) || type->kind == FRONT_BOOL || front_int_bits(type) >= 32) return e;
    uint32_t bits = front_int_bits(type);
    enum ir_type carrier = lower_ir_type_of(lw, e);
    e = lower_as(lw, e, IR_I32, loc);
    ir_expr shift = ir_const(lw->u, IR_U32, 32 - bits);
    if (front_is_unsigned(type))
        e = ir_op2(lw->u, IR_AND, e, ir_const_i32(lw->u, (int32_t)((UINT32_C(1) << bits) - 1)), loc);
    else
        e = ir_op2(lw->u, IR_SHR, ir_op2(lw->u, IR_SHL, e, shift, loc), shift, loc);
    return lower_as(lw, e, carrier, loc);
}

void lower_linear_begin(struct lower *lw, const struct lower_bindings *list, const struct lower_space *space) {
    for (uint32_t i = 0; i < list->count; i++) {
        const struct lower_binding *b = &list->items[i];
        if (!(b->sharing & FRONT_OMP_LINEAR)) continue;
        base_loc loc = b->clause->loc;
        struct front_type *type = b->symbol->type;
        ir_expr way =
            lower_fold2(lw, IR_MUL, iteration_number(lw, space, loc), lower_as(lw, b->step, IR_I32, loc), loc);
        ir_expr start = lower_load(lw, lower_ptr_to(lw, lower_whole(b->outer)), type, loc).e;
        way = lower_as(lw, way, lower_ir_type_of(lw, start), loc);
        struct lower_place to = lower_whole(b->own);
        ir_expr value = cut_to_type(lw, lower_fold2(lw, IR_ADD, start, way, loc), type, loc);
        lower_store_place(lw, &to, lower_scalar_value(type, value), loc);
    }
}

// ---- reductions -----------------------------------------------------------------------------------------------------

enum ir_op lower_reduction_op(enum front_op op, enum ir_type type) {
    bool is_float = type == IR_F32;
    switch (op) {
    case FRONT_OP_MUL: return IR_MUL;
    case FRONT_OP_MIN: return is_float ? IR_FMIN : IR_MIN;
    case FRONT_OP_MAX: return is_float ? IR_FMAX : IR_MAX;
    case FRONT_OP_AND: return IR_AND;
    case FRONT_OP_OR: return IR_OR;
    case FRONT_OP_XOR: return IR_XOR;
    case FRONT_OP_LAND: return IR_LAND;
    case FRONT_OP_LOR: return IR_LOR;
    default: return IR_ADD;
    }
}

void lower_reduce_begin(struct lower *lw, const struct front_omp_var *v, struct ir_reduction *irs,
                        struct lower_reduced *list, uint32_t *count) {
    struct front_symbol *symbol = v->symbol;
    if (!front_is_arithmetic(symbol->type))
        base_unsupported(lw->cx, v->loc, "a reduction over '%s' comes in a later version: only scalars are reduced",
                         symbol->name);
    for (uint32_t i = 0; i < *count; i++)
        if (list[i].symbol == symbol) return;
    if (*count == 16) base_unsupported(lw->cx, v->loc, "more than 16 reductions on one loop");
    struct lower_object *outer = lower_symbol_object(lw, symbol, v->loc);
    struct lower_reduced *r = &list[(*count)++];
    *r = (struct lower_reduced){.symbol = symbol, .outer = outer};
    r->logical = v->op == FRONT_OP_LAND || v->op == FRONT_OP_LOR;
    enum ir_type type = lower_carrier(symbol->type);
    if (!r->logical && type == IR_BOOL) base_unsupported(lw->cx, v->loc, "a bool can be reduced by && and || only");
    bool widened = r->logical && type != IR_BOOL;
    if (widened || lower_lives_in_memory(outer, &outer->slots[0])) { // on a variable of its own
        ir_expr now = lower_load(lw, lower_ptr_to(lw, lower_whole(outer)), symbol->type, v->loc).e;
        type = widened ? IR_BOOL : type;
        r->var = lower_new_var(lw, symbol->name, type, IR_VAR_ENTRY, v->loc);
        lower_emit(lw, ir_assign(lw->u, r->var, lower_as(lw, now, type, v->loc), v->loc));
        struct front_type *boolean = base_alloc(lw->cx, sizeof *boolean);
        boolean->kind = FRONT_BOOL;
        struct lower_object *own =
            lower_object_create(lw, symbol->name, symbol, v, widened ? boolean : symbol->type, v->loc);
        own->slots[0].var = r->var;
        own->region_private = false;
        lw->objects[symbol->id] = own;
    } else {
        if (outer->slots[0].value) base_fatal(lw->cx, v->loc, "'%s' is reduced and never written", symbol->name);
        r->var = lower_slot_var(lw, outer, &outer->slots[0]);
    }
    irs[*count - 1] = (struct ir_reduction){
        (uint8_t)lower_reduction_op((enum front_op)v->op, (enum ir_type)lw->u->vars[r->var].type), r->var};
    if (lw->reduction_count == 64) base_unsupported(lw->cx, v->loc, "too many reductions");
    lw->reductions[lw->reduction_count++] = r->var;
}

void lower_reduce_end(struct lower *lw, const struct lower_reduced *list, uint32_t count, base_loc loc) {
    for (uint32_t i = 0; i < count; i++) {
        const struct lower_reduced *r = &list[i];
        ir_expr now = ir_var_read(lw->u, r->var, loc),
                cut = r->logical ? now : cut_to_type(lw, now, r->symbol->type, loc);
        lw->reduction_count--;
        r->outer->varying = false;
        if (lw->objects[r->symbol->id] == r->outer) {
            if (cut != now)
                lower_emit(
                    lw, ir_assign(lw->u, r->var, lower_as(lw, cut, (enum ir_type)lw->u->vars[r->var].type, loc), loc));
            continue;
        }
        lw->objects[r->symbol->id] = r->outer;
        struct lower_place whole = lower_whole(r->outer);
        lower_store_place(lw, &whole, (struct lower_value){.type = r->symbol->type, .e = cut}, loc);
    }
}

// ---- lastprivate ----------------------------------------------------------------------------------------------------

static ir_expr is_last(struct lower *lw, const struct lower_space *space, base_loc loc) {
    ir_expr all = lower_bool(lw, true);
    for (uint32_t d = 0; d < space->n; d++) {
        const struct ir_dim *dim = &space->dims[d];
        if (space->guarded[d])
            base_unsupported(lw->cx, loc, "lastprivate on a collapsed loop whose inner bounds depend on the outer one");
        ir_expr end = lower_final_value(lw, dim->lo, dim->hi, dim->step, loc);
        ir_expr step = ir_const(lw->u, lower_ir_type_of(lw, end), (uint32_t)dim->step);
        ir_expr last = lower_fold2(lw, IR_SUB, end, step, loc);
        all = lower_fold2(lw, IR_LAND, all, lower_fold2(lw, IR_EQ, ir_var_read(lw->u, dim->var, loc), last, loc), loc);
    }
    return all;
}

// An array of one element, which iterations share.
static struct lower_object *kept_object(struct lower *lw, const struct lower_binding *b, base_loc loc) {
    struct front_type *type = base_alloc(lw->cx, sizeof *type), *element = base_alloc(lw->cx, sizeof *element);
    const char *name = base_format(lw->cx, "%s.last", b->symbol->name);
    bool before = lw->in_parfor;
    *element = *b->symbol->type;
    element->quals = 0;
    *type = (struct front_type){.kind = FRONT_ARRAY, .base = element, .length = 1};
    lw->in_parfor = false;
    struct lower_object *kept = lower_object_create(lw, name, NULL, (const char *)b->clause + 1, type, loc);
    lw->in_parfor = before;
    kept->region_private = false;
    kept->of_thread = true; // the one thread's that has the last iteration
    return kept;
}

static struct lower_place only_element(struct lower *lw, struct lower_object *kept, base_loc loc) {
    return lower_element(lw, lower_whole(kept), ir_const_i32(lw->u, 0), loc);
}

// The last iteration leaves its values in arrays of one element, read back behind the loop.
ir_stmt lower_last_save(struct lower *lw, struct lower_bindings *list, const struct lower_space *space,
                        struct lower_object *out_kept[LOWER_MOST_LAST], base_loc loc) {
    struct lower_block block = {0, 0};
    struct lower_block *before = lower_enter(lw, &block);
    uint32_t k = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        struct lower_binding *b = &list->items[i];
        if (!(b->sharing & FRONT_OMP_LASTPRIVATE)) continue;
        struct front_type *type = b->symbol->type;
        if (!front_is_arithmetic(type) && type->kind != FRONT_STRUCT)
            base_unsupported(lw->cx, loc, "lastprivate(%s): only scalars and structs", b->symbol->name);
        if (k == LOWER_MOST_LAST) base_unsupported(lw->cx, loc, "more than %d lastprivate variables", LOWER_MOST_LAST);
        out_kept[k] = kept_object(lw, b, loc);
        struct lower_place to = only_element(lw, out_kept[k++], loc);
        lower_store_place(lw, &to, lower_load(lw, lower_ptr_to(lw, lower_whole(b->own)), type, loc), loc);
    }
    lower_leave(lw, before);
    return block.head ? ir_if(lw->u, is_last(lw, space, loc), block.head, 0, loc) : 0;
}

void lower_last_restore(struct lower *lw, const struct lower_bindings *list, struct lower_object *const kept[],
                        const struct lower_space *space, base_loc loc) {
    uint32_t k = 0;
    struct lower_block block = {0, 0};
    struct lower_block *before = lower_enter(lw, &block);
    for (uint32_t i = 0; i < list->count; i++) {
        const struct lower_binding *b = &list->items[i];
        if (!(b->sharing & FRONT_OMP_LASTPRIVATE)) continue;
        struct lower_place whole = lower_whole(b->outer);
        struct lower_ptr *from = lower_ptr_to(lw, only_element(lw, kept[k++], loc));
        lower_store_place(lw, &whole, lower_load(lw, from, b->symbol->type, loc), loc);
    }
    lower_leave(lw, before);
    ir_expr runs = lower_bool(lw, true); // an empty loop assigns nothing
    for (uint32_t d = 0; d < space->n; d++)
        runs = lower_fold2(
            lw, IR_LAND, runs,
            lower_fold2(lw, space->dims[d].step > 0 ? IR_LT : IR_GT, space->dims[d].lo, space->dims[d].hi, loc), loc);
    int64_t known;
    if (lower_const_int(lw, runs, &known)) {
        if (known) lower_emit(lw, block.head);
    } else if (block.head) {
        lower_emit(lw, ir_if(lw->u, runs, block.head, 0, loc));
    }
}
