// Sections that take over what is better (lower_best_form.c says which). An iteration has what is kept to itself: it
// begins with the values from before the loop, and leaves its own in arrays. The loop reduces the first word that
// decides to its extreme; short loops behind it go on among the iterations that have it, word by word, and the first
// one left has the values. So of equals the first iteration's are taken, as one thread would.
#include "front/lower/lower_best.h"

enum { MOST_PARTS = 1 << 24, MOST_WORDS = 2 * LOWER_BEST_KEYS };

struct word { // of a key: a double as a pair of floats and a 64-bit integer have two, the upper one decides first
    const struct lower_best_field *field;
    const struct front_node *place; // the field's, or a member of it
    uint32_t part;                  // 1: the lower one
    enum ir_type type;
    bool larger;
};

static enum ir_type type_of(const struct front_type *type, uint32_t part) {
    if (front_is_pair(type)) return IR_F32;
    return lower_is_wide(type) && (part || front_is_unsigned(type)) ? IR_U32 : lower_carrier(type);
}

static uint32_t words_of(const struct lower_best *best, struct word out[MOST_WORDS]) {
    uint32_t count = 0;
    for (uint32_t k = 0; k < best->key_count; k++) {
        const struct lower_best_field *field = &best->fields[best->keys[k].field];
        const struct front_type *type = best->keys[k].place->type;
        for (uint32_t part = 0; part < (front_is_pair(type) || lower_is_wide(type) ? 2 : 1); part++)
            out[count++] = (struct word){field, best->keys[k].place, part, type_of(type, part), best->keys[k].larger};
    }
    return count;
}

static enum ir_op extreme_op(bool larger, enum ir_type type) {
    return lower_reduction_op(larger ? FRONT_OP_MAX : FRONT_OP_MIN, type);
}

static struct lower_place member_of(struct lower_place whole, const struct front_node *member,
                                    const struct lower_best_field *f) {
    if (lower_same(member, f->place)) return whole;
    return lower_member(member_of(whole, member->a, f), member->field);
}

// Of the field's value, which is `whole`.
static ir_expr load_word(struct lower *lw, const struct word *word, struct lower_place whole, base_loc loc) {
    struct lower_place place = member_of(whole, word->place, word->field);
    if (front_is_pair(word->place->type)) {
        place.leaf += word->part;
        place.leaf_count = 1;
        place.type = place.object->slots[place.leaf].type;
    }
    ir_expr value = lower_load_place(lw, &place, loc);
    if (lower_is_wide(word->place->type)) {
        struct lower_words words = lower_words_of(lw, lower_snapshot(lw, value, loc), loc);
        value = word->part ? words.lo : words.hi;
    }
    value = lower_as(lw, value, word->type, loc);
    if (word->type != IR_F32) return value;
    // No number is worse than any: it is found only where nothing else is.
    value = lower_snapshot(lw, value, loc);
    ir_expr worst = ir_const(lw->u, IR_F32, ir_identity((uint8_t)extreme_op(word->larger, IR_F32), IR_F32));
    return lower_fold3(lw, IR_SELECT, lower_fold1(lw, IR_ISNAN, value, loc), worst, value, loc);
}

static void copy(struct lower *lw, struct lower_place to, struct lower_place from, struct front_type *type,
                 base_loc loc) {
    lower_store_place(lw, &to, lower_load(lw, lower_ptr_to(lw, from), type, loc), loc);
}

// ---- the loop -------------------------------------------------------------------------------------------------------

static struct front_type *unqualified(struct lower *lw, const struct front_type *type) {
    struct front_type *copy = base_alloc(lw->cx, sizeof *copy);
    *copy = *type;
    copy->quals = 0;
    return copy;
}

static ir_var extreme_var(struct lower *lw, const struct word *word, base_loc loc) {
    ir_var var = lower_new_var(lw, "extreme", word->type, IR_VAR_ENTRY, loc);
    uint32_t start = ir_identity((uint8_t)extreme_op(word->larger, word->type), word->type);
    lower_emit(lw, ir_assign(lw->u, var, ir_const(lw->u, word->type, start), loc));
    return var;
}

uint32_t lower_bests_make(struct lower *lw, struct lower_bests *bests, const struct lower_space *space,
                          struct ir_reduction *irs, base_loc loc) {
    if (!bests->count) return 0;
    bests->numbering = lower_number_space(lw, space, loc);
    if (bests->numbering.most > MOST_PARTS)
        base_unsupported(lw->cx, loc,
                         "the 'critical' in this loop takes an element an iteration on a GPU, at most %d: write a loop "
                         "over blocks around it, and the parallel loop over these; where its end is computed, or under "
                         "--uniform, end it at a constant, and leave the rest out by an if",
                         MOST_PARTS);
    if (lw->reduction_count + bests->count > 64) base_unsupported(lw->cx, loc, "too many reductions");
    for (uint32_t i = 0; i < bests->count; i++) {
        struct lower_best *best = &bests->items[i];
        for (uint32_t k = 0; k < best->field_count; k++) {
            struct lower_best_field *f = &best->fields[k];
            struct front_type *type = base_alloc(lw->cx, sizeof *type);
            *type = (struct front_type){
                .kind = FRONT_ARRAY, .base = unqualified(lw, f->place->type), .length = bests->numbering.most};
            f->parts = lower_object_create(lw, "best.parts", NULL, (const char *)f->place + 1, type, f->place->loc);
            f->parts->region_private = false;
        }
        struct word words[MOST_WORDS];
        words_of(best, words);
        best->extreme = extreme_var(lw, &words[0], loc);
        lw->reductions[lw->reduction_count++] = best->extreme;
        irs[i] = (struct ir_reduction){(uint8_t)extreme_op(words[0].larger, words[0].type), best->extreme};
    }
    return bests->count;
}

void lower_bests_begin(struct lower *lw, struct lower_bests *bests, base_loc loc) {
    for (uint32_t i = 0; i < bests->count; i++)
        for (uint32_t k = 0; k < bests->items[i].field_count; k++) {
            struct lower_best_field *f = &bests->items[i].fields[k];
            struct front_type *type = unqualified(lw, f->place->type);
            struct lower_object *own =
                lower_object_create(lw, "best", NULL, (const char *)f->place + 2, type, f->place->loc);
            struct lower_ptr *from = lower_lvalue(lw, f->place);
            f->at = from->targets[0];
            copy(lw, lower_whole(own), from->targets[0], type, loc);
            f->own = own;
        }
    lw->bests = bests;
}

void lower_bests_save(struct lower *lw, struct lower_bests *bests, const struct lower_space *space, base_loc loc) {
    lw->bests = NULL;
    if (!bests->count) return;
    ir_expr number = lower_number_of(lw, &bests->numbering, space, loc);
    for (uint32_t i = 0; i < bests->count; i++) {
        struct lower_best *best = &bests->items[i];
        struct word words[MOST_WORDS];
        words_of(best, words);
        for (uint32_t k = 0; k < best->field_count; k++) {
            struct lower_best_field *f = &best->fields[k];
            copy(lw, lower_element(lw, lower_whole(f->parts), number, loc), lower_whole(f->own), f->own->type, loc);
        }
        ir_expr value = load_word(lw, &words[0], lower_whole(words[0].field->own), loc);
        value = lower_fold2(lw, extreme_op(words[0].larger, words[0].type), ir_var_read(lw->u, best->extreme, loc),
                            value, loc);
        lower_emit(lw, ir_assign(lw->u, best->extreme, value, loc));
    }
}

// ---- names in the body ----------------------------------------------------------------------------------------------

struct lower_ptr *lower_best_own(struct lower *lw, const struct front_node *place) {
    for (uint32_t i = 0; i < lw->bests->count; i++)
        for (uint32_t k = 0; k < lw->bests->items[i].field_count; k++) {
            const struct lower_best_field *f = &lw->bests->items[i].fields[k];
            if (lower_same(place, f->place)) return lower_ptr_to(lw, lower_whole(f->own));
        }
    return NULL;
}

bool lower_is_best_section(const struct lower *lw, const struct front_node *section) {
    for (uint32_t i = 0; lw->bests && i < lw->bests->section_count; i++)
        if (lw->bests->sections[i] == section) return true;
    return false;
}

void lower_best_check(struct lower *lw, const struct lower_object *object, base_loc loc) {
    for (uint32_t i = 0; i < lw->bests->count; i++)
        for (uint32_t k = 0; k < lw->bests->items[i].field_count; k++)
            if (lw->bests->items[i].fields[k].object == object)
                base_unsupported(lw->cx, loc,
                                 "'%s' is changed in a 'critical' of this loop, and used here by another name: use it "
                                 "nowhere else in the loop",
                                 object->name);
}

// ---- behind the loop ------------------------------------------------------------------------------------------------

// A parallel loop over the iterations that have the extremes of the first `count` words. It reduces the word that
// follows to its extreme, or, where there is none, finds the first of them.
static void narrow(struct lower *lw, const struct lower_numbering *numbering, const struct word *words,
                   const ir_var *extremes, uint32_t count, const struct word *next, ir_var var, base_loc loc) {
    struct ir_unit *u = lw->u;
    struct ir_dim dim = {lower_new_var(lw, "part", IR_I32, IR_VAR_DIM, loc), ir_const_i32(u, 0), numbering->total, 1};
    enum ir_op op = next ? extreme_op(next->larger, next->type) : extreme_op(false, IR_I32);
    struct ir_reduction reduction = {(uint8_t)op, var};
    lower_set_range(lw, dim.var, (struct lower_range){0, (int64_t)numbering->most - 1});
    struct lower_block body = {0, 0}, inner = {0, 0};
    struct lower_block *before = lower_enter(lw, &body);
    lw->in_parfor = true;
    ir_expr number = ir_var_read(u, dim.var, loc), guard = lower_bool(lw, true), value = number;
    for (uint32_t k = 0; k < count; k++) {
        struct lower_place part = lower_element(lw, lower_whole(words[k].field->parts), number, loc);
        ir_expr same =
            lower_fold2(lw, IR_EQ, load_word(lw, &words[k], part, loc), ir_var_read(u, extremes[k], loc), loc);
        guard = lower_fold2(lw, IR_LAND, guard, same, loc);
    }
    if (next) value = load_word(lw, next, lower_element(lw, lower_whole(next->field->parts), number, loc), loc);
    lower_enter(lw, &inner);
    value = lower_fold2(lw, (enum ir_op)reduction.op, ir_var_read(u, var, loc), value, loc);
    lower_emit(lw, ir_assign(u, var, value, loc));
    lower_enter(lw, &body);
    lower_emit(lw, ir_if(u, guard, inner.head, 0, loc));
    lw->in_parfor = false;
    lower_leave(lw, before);
    ir_stmt s = ir_add_stmt(u, IR_PARFOR, loc);
    uint32_t dims = ir_add_dims(u, &dim, 1), reductions = ir_add_reductions(u, &reduction, 1);
    u->stmts[s].parfor.dim_count = 1;
    u->stmts[s].parfor.dims = dims;
    u->stmts[s].parfor.reductions = reductions;
    u->stmts[s].parfor.reduction_count = 1;
    u->stmts[s].parfor.body = body.head;
    lower_emit(lw, s);
}

static void end_one(struct lower *lw, const struct lower_numbering *numbering, const struct lower_best *best,
                    base_loc loc) {
    struct word words[MOST_WORDS];
    ir_var extremes[MOST_WORDS];
    uint32_t count = words_of(best, words);
    extremes[0] = best->extreme;
    for (uint32_t k = 1; k < count; k++) {
        extremes[k] = extreme_var(lw, &words[k], loc);
        narrow(lw, numbering, words, extremes, k, &words[k], extremes[k], loc);
    }
    ir_var first = lower_new_var(lw, "first", IR_I32, IR_VAR_ENTRY, loc);
    lower_emit(lw, ir_assign(lw->u, first, ir_const_i32(lw->u, INT32_MAX), loc));
    narrow(lw, numbering, words, extremes, count, NULL, first, loc);
    struct lower_block found = {0, 0};
    struct lower_block *before = lower_enter(lw, &found);
    ir_expr at = ir_var_read(lw->u, first, loc);
    for (uint32_t k = 0; k < best->field_count; k++) {
        const struct lower_best_field *f = &best->fields[k];
        struct lower_place from = lower_element(lw, lower_whole(f->parts), at, loc);
        struct lower_value value = lower_load(lw, lower_ptr_to(lw, from), f->own->type, loc);
        lower_store(lw, lower_lvalue(lw, f->place), value, loc);
    }
    lower_leave(lw, before);
    ir_expr any = lower_fold2(lw, IR_LT, at, numbering->total, loc); // none of no iterations, or among NaNs
    lower_emit(lw, ir_if(lw->u, any, found.head, 0, loc));
}

void lower_bests_end(struct lower *lw, const struct lower_bests *bests, base_loc loc) {
    lw->reduction_count -= bests->count;
    for (uint32_t i = 0; i < bests->count; i++)
        end_one(lw, &bests->numbering, &bests->items[i], loc);
}
