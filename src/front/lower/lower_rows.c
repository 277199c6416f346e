// Reductions of arrays whose elements no atomic operation updates: doubles that are pairs of floats, the smallest and
// largest of 64-bit integers and of floats, products. The loop's iterations are made in blocks, each of which has a
// copy of the whole array - a row - to itself, and loops behind it add the rows up. Both orders follow from the number
// of iterations and of elements alone.
//
// A clause says that iterations have copies, so in the whole body the array's name means the row. `atomic` and
// `critical` say less: there the updates go to the row, and nothing else of the loop may use the array.
#include <math.h>
#include <string.h>

#include "front/lower/lower_omp.h"
#include "front/lower/lower_update.h"

enum { MOST_ELEMENTS = 1 << 22, MOST_BLOCKS = 4096, FEWEST_BLOCKS = 8, ONE_LEVEL = 64, MOST_FOUND = 16 };

// ---- which arrays ---------------------------------------------------------------------------------------------------

static const struct front_type *element_of(const struct front_type *type) {
    while (type->kind == FRONT_ARRAY || type->kind == FRONT_POINTER)
        type = type->base;
    return type;
}

static bool is_order(enum front_op op) { return op == FRONT_OP_MIN || op == FRONT_OP_MAX; }

static bool takes_rows(const struct lower *lw, const struct front_type *type, enum front_op op) {
    const struct front_type *element = element_of(type);
    if (element == type) return false;
    if (front_is_pair(element)) return true;
    if (lower_is_wide(element)) return (is_order(op) || op == FRONT_OP_MUL) && !lw->user->int64_as_int32;
    if (element->kind == FRONT_F32) return is_order(op) || op == FRONT_OP_MUL;
    return (element->kind == FRONT_I32 || element->kind == FRONT_U32) && op == FRONT_OP_MUL;
}

bool lower_reduces_rows(const struct lower *lw, const struct front_omp_var *v) {
    return takes_rows(lw, v->symbol->type, (enum front_op)v->op);
}

// The array that the statement updates an element of, if rows are how; NULL: it is another statement.
static struct front_symbol *updated(const struct lower *lw, struct front_node *n, enum front_op *out_op) {
    struct lower_update up = {0};
    if (!lower_read_pair_update(n, &up) && !lower_read_update(n, &up)) return NULL;
    if (!up.e || up.v || up.r || up.expected || (up.x->kind != FRONT_INDEX && up.x->kind != FRONT_DEREF)) return NULL;
    const struct front_node *x = up.x;
    while (x->kind == FRONT_INDEX || x->kind == FRONT_DEREF || x->kind == FRONT_PTR_ADD || x->kind == FRONT_CAST)
        x = x->a;
    *out_op = up.op == FRONT_OP_SUB ? FRONT_OP_ADD : up.op;
    if (x->kind != FRONT_VAR || !takes_rows(lw, x->symbol->type, *out_op)) return NULL;
    const struct front_type *element = element_of(x->symbol->type);
    if (!front_is_pair(element) && !lower_is_wide(element)) return NULL; // there are better ways
    if (lower_mentions(up.e, x->symbol) || lower_count_mentions(up.x, x->symbol) != 1) return NULL;
    return x->symbol;
}

struct search {
    const struct lower *lw;
    struct front_omp_row found[MOST_FOUND];
    bool differs[MOST_FOUND];         // by several operators
    uint32_t count, seen[MOST_FOUND]; // how often the updates name it
};

static void note(struct search *s, struct front_node *statement) {
    enum front_op op = FRONT_OP_NONE;
    struct front_symbol *array = updated(s->lw, statement, &op);
    uint32_t i = 0;
    while (array && i < s->count && s->found[i].array != array)
        i++;
    if (!array || i == MOST_FOUND) return;
    if (i == s->count)
        s->found[s->count++] =
            (struct front_omp_row){.array = array, .element = {.op = (uint8_t)op, .loc = statement->loc}};
    s->differs[i] |= s->found[i].element.op != op;
    s->seen[i] += lower_count_mentions(statement, array);
}

static bool find_updates(void *user, const struct front_node *n) {
    struct search *s = user;
    const uint32_t other = FRONT_ATOMIC_READ | FRONT_ATOMIC_WRITE | FRONT_ATOMIC_CAPTURE;
    if (n->kind != FRONT_OMP) return true;
    bool atomic = n->omp->constructs & FRONT_OMP_ATOMIC && !(n->omp->atomic & other);
    if (!atomic && !(n->omp->constructs & FRONT_OMP_CRITICAL)) return true;
    struct front_node *body = n->omp->body;
    for (struct front_node *t = body->kind == FRONT_BLOCK ? body->a : body; t;
         t = body->kind == FRONT_BLOCK ? t->next : NULL)
        note(s, t);
    return false;
}

static void add_text(struct lower *lw, struct front_omp *omp, struct front_omp_row row) {
    struct front_type *type = base_alloc(lw->cx, sizeof *type);
    *type = *element_of(row.array->type);
    type->quals = 0;
    struct front_symbol *symbol = base_alloc(lw->cx, sizeof *symbol);
    *symbol = (struct front_symbol){.kind = FRONT_SYM_LOCAL, .name = row.array->name, .type = type};
    row.element.symbol = symbol;
    row.element.sharing = FRONT_OMP_REDUCTION;
    omp->rows[omp->row_count++] = row;
}

// Found once, as names in later runs of the lowering are the addresses of what is found (lower.h).
static void find(struct lower *lw, struct front_omp *omp, const struct front_node *body) {
    struct search s = {.lw = lw};
    if (!lw->user->target.cpu_only) lower_scan(body, find_updates, &s); // else they are what they are
    omp->row_cap = s.count + omp->var_count + MOST_FOUND;               // where they are, their names are
    omp->rows = base_alloc_array(lw->cx, omp->row_cap, sizeof *omp->rows);
    omp->rows_known = true;
    for (uint32_t i = 0; i < omp->var_count; i++)
        if (omp->vars[i].sharing & FRONT_OMP_REDUCTION && !omp->vars[i].combine &&
            lower_reduces_rows(lw, &omp->vars[i]))
            add_text(
                lw, omp,
                (struct front_omp_row){omp->vars[i].symbol, {.op = omp->vars[i].op, .loc = omp->vars[i].loc}, true});
    for (uint32_t i = 0; i < s.count; i++)
        if (!s.differs[i] && lower_is_from_outside(omp, body, s.found[i].array) &&
            lower_count_mentions(body, s.found[i].array) == s.seen[i])
            add_text(lw, omp, s.found[i]);
}

// Where the array begins.
static struct lower_ptr *begin_of(struct lower *lw, struct front_symbol *symbol, base_loc loc) {
    struct lower_ptr *ptr = lower_ptr_to(lw, lower_whole(lower_symbol_object(lw, symbol, loc)));
    if (symbol->type->kind != FRONT_POINTER) return ptr;
    return lower_freeze(lw, lower_load(lw, ptr, symbol->type, loc).ptr, loc);
}

static double elements_of(struct lower *lw, const struct lower_object *object) {
    double all = 1;
    for (uint32_t d = 0; d < object->outer; d++)
        all *= (double)lower_range_of(lw, object->slots[0].dims[d]).hi;
    return all;
}

static void drop_large(struct lower *lw, struct lower_rows *rows) {
    for (uint32_t i = 0; i < rows->count; i++) {
        const struct lower_row *row = &rows->items[i];
        if (elements_of(lw, row->outer) * FEWEST_BLOCKS * rows->count <= MOST_ELEMENTS) continue;
        if (row->text->by_clause)
            base_unsupported(lw->cx, row->text->element.loc,
                             "a reduction of '%s' takes %d copies of it: it may have up to %d elements, in a number "
                             "that is known when the program is compiled; write a parallel loop over its elements",
                             row->text->array->name, FEWEST_BLOCKS, MOST_ELEMENTS / FEWEST_BLOCKS);
        rows->items[i--] = rows->items[--rows->count];
    }
}

void lower_rows_collect(struct lower *lw, struct front_omp *omp, const struct front_node *body,
                        struct lower_rows *out) {
    out->count = 0;
    if (!omp->rows_known) find(lw, omp, body);
    for (uint32_t i = 0; i < omp->row_count; i++) {
        const struct front_omp_row *text = &omp->rows[i];
        const struct front_type *type = text->element.symbol->type;
        struct lower_ptr *begin = begin_of(lw, text->array, text->element.loc);
        struct lower_object *outer = begin->count == 1 ? begin->targets[0].object : NULL;
        bool takes = outer && outer->count == lower_leaf_count(type) && element_of(outer->type)->kind == type->kind &&
                     outer->outer > 0 && outer->outer < IR_MAX_DIMS && out->count < LOWER_MOST_ROWS &&
                     !(text->array->type->kind == FRONT_POINTER && lower_writes(body, text->array));
        bool shared = takes && outer->var_class == IR_VAR_ENTRY && !outer->region_private && !outer->is_const;
        if (takes && (shared || text->by_clause)) {
            out->items[out->count++] = (struct lower_row){.text = text, .outer = outer, .begin = begin};
        } else if (text->by_clause) {
            base_unsupported(lw->cx, text->element.loc,
                             "this reduction of '%s' is not supported: it must be an array of numbers, of less than %d "
                             "dimensions, whose pointer the loop does not set",
                             text->array->name, IR_MAX_DIMS);
        }
    }
    drop_large(lw, out);
}

// ---- the rows -------------------------------------------------------------------------------------------------------

// [blocks][the array's own dimensions]
static struct lower_object *rows_of(struct lower *lw, const struct lower_row *row, uint32_t blocks, uint32_t level) {
    struct lower_object *outer = row->outer;
    struct front_type *type = row->text->element.symbol->type;
    for (uint32_t d = 0; d <= outer->outer; d++) {
        struct front_type *array = base_alloc(lw->cx, sizeof *array);
        *array = (struct front_type){.kind = FRONT_ARRAY, .base = type, .length = d == outer->outer ? blocks : 1};
        type = array;
    }
    const char *name = base_format(lw->cx, "%s.rows", outer->name);
    struct lower_object *rows = lower_object_create(lw, name, NULL, (const char *)&row->text->element + 1 + level, type,
                                                    row->text->element.loc);
    for (uint32_t i = 0; i < rows->count; i++)
        memcpy(rows->slots[i].dims + 1, outer->slots[0].dims, outer->outer * sizeof *outer->slots[0].dims);
    rows->region_private = false;
    rows->of_thread = true; // nobody's race: who wrote them has ended
    rows->ident->two_words = true;
    rows->ident->flat |= outer->ident->flat;
    return rows;
}

// As many as there is memory for; no more than pay, where it is known how many iterations there are.
static uint32_t blocks_for(struct lower *lw, const struct lower_rows *rows, uint64_t iterations) {
    double elements = 1;
    for (uint32_t i = 0; i < rows->count; i++)
        elements = fmax(elements, elements_of(lw, rows->items[i].outer));
    double most = floor(MOST_ELEMENTS / elements / rows->count);
    if (most < FEWEST_BLOCKS) return 0;
    double useful = fmax(4 * (double)iterations / elements, ONE_LEVEL);
    return (uint32_t)fmax(1, fmin(fmin(most, MOST_BLOCKS), fmin(useful, (double)iterations)));
}

// The place of the array, in the row.
static struct lower_place place_in(const struct lower_rows *rows, const struct lower_row *row,
                                   const struct lower_place *place) {
    struct lower_place at = *place;
    memmove(at.idx + 1, at.idx, at.n * sizeof *at.idx);
    at.idx[0] = rows->block;
    at.n++;
    at.walked += at.walked > 0;
    at.object = row->rows;
    return at;
}

void lower_rows_make(struct lower *lw, struct lower_rows *rows, const struct lower_space *space, bool threads,
                     base_loc loc) {
    rows->frame = lw->frame;
    if (!rows->count) return;
    uint64_t iterations = 1;
    for (uint32_t d = 0; d < space->n; d++) {
        struct lower_range r = lower_range_of(lw, lower_trips(lw, &space->dims[d], loc));
        uint64_t most = r.hi < 1 ? 1 : (uint64_t)r.hi;
        iterations = iterations > UINT32_MAX / most ? UINT32_MAX : iterations * most;
    }
    rows->blocks = threads ? lw->team : blocks_for(lw, rows, iterations);
    if (!rows->blocks) rows->blocks = FEWEST_BLOCKS;
    if (!threads) rows->var = lower_new_var(lw, "block", IR_I32, IR_VAR_DIM, loc);
    if (!threads) lower_set_range(lw, rows->var, (struct lower_range){0, (int64_t)rows->blocks - 1});
    rows->block = threads ? lw->thread : ir_var_read(lw->u, rows->var, loc);
    for (uint32_t i = 0; i < rows->count; i++) {
        struct lower_row *row = &rows->items[i];
        row->sum = (struct lower_pair_sum){.clause = &row->text->element, .outer = row->outer};
        row->rows = rows_of(lw, row, rows->blocks, 0);
        struct lower_place first = place_in(rows, row, &row->begin->targets[0]);
        first.walked = 0;
        row->place = lower_ptr_to(lw, first);
        if (row->text->array->type->kind != FRONT_POINTER) continue;
        struct lower_object *pointer = lower_object_create(lw, row->text->array->name, NULL, row->text,
                                                           row->text->array->type, row->text->element.loc);
        pointer->slots[0].pointer = row->place;
        row->place = lower_ptr_to(lw, lower_whole(pointer));
    }
}

// ---- names in the body ----------------------------------------------------------------------------------------------

struct lower_ptr *lower_row_of(struct lower *lw, const struct front_symbol *symbol) {
    for (uint32_t i = 0; i < lw->rows->count; i++) {
        const struct lower_row *row = &lw->rows->items[i];
        if (row->text->array != symbol) continue;
        if (row->text->by_clause ? lw->frame == lw->rows->frame
                                 : lw->rows->updated == symbol && lw->frame == lw->rows->updated_frame)
            return row->place;
    }
    return NULL;
}

bool lower_is_row_update(const struct lower *lw, struct front_node *statement) {
    enum front_op op = FRONT_OP_NONE;
    const struct front_symbol *array = lw->rows ? updated(lw, statement, &op) : NULL;
    for (uint32_t i = 0; array && i < lw->rows->count; i++)
        if (lw->rows->items[i].text->array == array && lw->rows->items[i].text->element.op == op) return true;
    return false;
}

void lower_row_update(struct lower *lw, struct front_node *statement) {
    enum front_op op;
    const struct front_symbol *outer = lw->rows->updated;
    const struct lower_call_frame *outer_frame = lw->rows->updated_frame;
    lw->rows->updated = updated(lw, statement, &op);
    lw->rows->updated_frame = lw->frame;
    lower_statement(lw, statement);
    lw->rows->updated = outer;
    lw->rows->updated_frame = outer_frame;
}

const struct lower_place *lower_rows_check(struct lower *lw, const struct lower_place *place, struct lower_place *row,
                                           base_loc loc) {
    const struct lower_row *updated = lw->rows->by_place;
    if (updated && updated->outer == place->object) {
        *row = place_in(lw->rows, updated, place);
        return row;
    }
    for (uint32_t i = 0; i < lw->rows->count; i++)
        if (lw->rows->items[i].outer == place->object && !lw->rows->items[i].text->by_clause)
            base_unsupported(
                lw->cx, loc,
                "'%s' is updated under 'atomic' or 'critical' in this loop, and used here by another name: "
                "use it nowhere else in the loop",
                place->object->name);
    return place;
}

// The array is one of the loop's from the next run of the lowering on.
static bool learn(struct lower *lw, const struct lower_object *object, enum front_op op, base_loc loc) {
    struct front_omp *omp = lw->rows->omp;
    struct front_symbol *symbol = object->symbol;
    if (!symbol || !takes_rows(lw, symbol->type, op) || omp->row_count == omp->row_cap) return false;
    for (uint32_t i = 0; i < omp->row_count; i++)
        if (omp->rows[i].array == symbol) return lw->learned; // perhaps just now
    struct lower_call_frame *frame = lw->frame;
    lw->frame = lw->rows->frame;
    struct lower_ptr *begin = begin_of(lw, symbol, loc);
    lw->frame = frame;
    if (begin->count != 1 || begin->targets[0].object != object) return false;
    add_text(lw, omp, (struct front_omp_row){.array = symbol, .element = {.op = (uint8_t)op, .loc = loc}});
    lw->learned = true;
    return true;
}

bool lower_row_update_by_place(struct lower *lw, struct front_node *statement) {
    struct lower_update up = {0};
    if (!lw->rows || (!lower_read_pair_update(statement, &up) && !lower_read_update(statement, &up))) return false;
    if (!up.e || up.v || up.r || up.expected) return false;
    enum front_op op = up.op == FRONT_OP_SUB ? FRONT_OP_ADD : up.op;
    struct lower_block aside = {0, 0}; // what is added, and where, is nothing of the array's
    struct lower_block *before = lower_enter(lw, &aside);
    struct lower_ptr *x = lower_lvalue(lw, up.x);
    lower_expr(lw, up.e);
    lower_leave(lw, before);
    const struct lower_object *object = x->count == 1 ? x->targets[0].object : NULL;
    for (uint32_t i = 0; object && i < lw->rows->count; i++) {
        const struct lower_row *row = &lw->rows->items[i];
        if (row->outer != object || row->text->by_clause || row->text->element.op != op) continue;
        lw->rows->by_place = row;
        lower_statement(lw, statement);
        lw->rows->by_place = NULL;
        return true;
    }
    return object && learn(lw, object, op, statement->loc);
}

// ---- all elements ---------------------------------------------------------------------------------------------------

static struct lower_place row_element(struct lower *lw, struct lower_object *rows, ir_expr number, const ir_var *at,
                                      uint32_t n, base_loc loc) {
    struct lower_place place = lower_whole(rows);
    if (number) place = lower_element(lw, place, number, loc);
    for (uint32_t d = 0; d < n; d++)
        place = lower_element(lw, place, ir_var_read(lw->u, at[d], loc), loc);
    return place;
}

static void copy(struct lower *lw, struct lower_place to, struct lower_place from, base_loc loc) {
    lower_store_place(lw, &to, lower_load(lw, lower_ptr_to(lw, from), from.type, loc), loc);
}

static void clear_row(struct lower *lw, const struct lower_row *row, ir_expr block, base_loc loc) {
    uint32_t n = row->outer->outer;
    ir_var at[IR_MAX_DIMS];
    for (uint32_t d = 0; d < n; d++) {
        at[d] = lower_new_var(lw, "at", IR_I32, IR_VAR_LOCAL, loc);
        int64_t last = lower_range_of(lw, row->outer->slots[0].dims[d]).hi - 1;
        lower_set_range(lw, at[d], (struct lower_range){0, last < 0 ? 0 : last});
    }
    struct lower_block body = {0, 0};
    struct lower_block *before = lower_enter(lw, &body);
    struct lower_place place = row_element(lw, row->rows, block, at, n, loc);
    lower_pairs_set_identity(lw, &row->sum, &place, loc);
    lower_leave(lw, before);
    for (uint32_t d = n; d-- > 0;)
        body.head = ir_for(lw->u, at[d], ir_const_i32(lw->u, 0), row->outer->slots[0].dims[d], 1, body.head, loc);
    lower_emit(lw, body.head);
}

ir_stmt lower_rows_loop(struct lower *lw, const struct lower_rows *rows, const struct front_omp *omp,
                        const struct lower_space *space, ir_stmt body) {
    ir_expr thread = lw->thread;
    uint32_t team = lw->team;
    lw->thread = rows->block;
    lw->team = rows->blocks;
    body = lower_team_loop(lw, rows->var ? NULL : omp, space, body, omp->loc);
    lw->thread = thread;
    lw->team = team;
    struct lower_block all = {0, 0};
    struct lower_block *before = lower_enter(lw, &all);
    lw->in_parfor = true;
    for (uint32_t i = 0; i < rows->count; i++)
        clear_row(lw, &rows->items[i], rows->block, omp->loc);
    lw->in_parfor = false;
    lower_emit(lw, body);
    lower_leave(lw, before);
    return all.head;
}

// ---- behind the loop ------------------------------------------------------------------------------------------------

// A parallel loop over elements: to the array (`groups` 0), or to as many rows, each of every groups-th of the first.
static struct lower_object *add_up(struct lower *lw, const struct lower_row *row, struct lower_object *from,
                                   uint32_t count, uint32_t groups, base_loc loc) {
    struct ir_unit *u = lw->u;
    uint32_t n = row->outer->outer, first = groups > 0;
    struct lower_object *to = groups ? rows_of(lw, row, groups, 1) : row->outer;
    struct ir_dim dims[IR_MAX_DIMS];
    ir_var at[IR_MAX_DIMS];
    for (uint32_t d = 0; d < n + first; d++) {
        ir_expr size = d < first ? ir_const_i32(u, (int32_t)groups) : row->outer->slots[0].dims[d - first];
        dims[d] = (struct ir_dim){lower_new_var(lw, "at", IR_I32, IR_VAR_DIM, loc), ir_const_i32(u, 0), size, 1};
        int64_t last = lower_range_of(lw, size).hi - 1;
        lower_set_range(lw, dims[d].var, (struct lower_range){0, last < 0 ? 0 : last});
        if (d >= first) at[d - first] = dims[d].var;
    }
    ir_expr group = groups ? ir_var_read(u, dims[0].var, loc) : 0;
    struct lower_block body = {0, 0}, inner = {0, 0};
    struct lower_block *before = lower_enter(lw, &body);
    lw->in_parfor = true;
    struct lower_object *own =
        lower_object_create(lw, row->text->array->name, NULL, (const char *)&row->text->element + 4 + first,
                            row->text->element.symbol->type, loc);
    own->ident->two_words = true;
    struct lower_place acc = lower_whole(own), result = row_element(lw, to, group, at, n, loc);
    if (groups)
        lower_pairs_set_identity(lw, &row->sum, &acc, loc);
    else
        copy(lw, acc, result, loc);
    ir_var counter = lower_new_var(lw, "row", IR_I32, IR_VAR_LOCAL, loc);
    lower_set_range(lw, counter, (struct lower_range){0, (int64_t)count - 1});
    lower_enter(lw, &inner);
    struct lower_place part = row_element(lw, from, ir_var_read(u, counter, loc), at, n, loc);
    lower_pairs_combine(lw, &row->sum, &acc, &part, from->ident, loc);
    lower_enter(lw, &body);
    lower_emit(lw, ir_for(u, counter, groups ? group : ir_const_i32(u, 0), ir_const_i32(u, (int32_t)count),
                          groups ? (int32_t)groups : 1, inner.head, loc));
    copy(lw, result, acc, loc);
    lw->in_parfor = false;
    lower_leave(lw, before);
    lower_emit_adding_loop(lw, dims, n + first, body.head, loc);
    return to;
}

void lower_rows_end(struct lower *lw, const struct lower_rows *rows, base_loc loc) {
    for (uint32_t i = 0; i < rows->count; i++) {
        const struct lower_row *row = &rows->items[i];
        struct lower_object *from = row->rows;
        uint32_t left = rows->blocks;
        if (left > ONE_LEVEL) {
            uint32_t groups = (uint32_t)ceil(sqrt((double)left));
            from = add_up(lw, row, from, left, groups, loc);
            left = groups;
        }
        add_up(lw, row, from, left, 0, loc);
    }
}
