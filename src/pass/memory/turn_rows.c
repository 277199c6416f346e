// Rows: an index grows by one from pass to pass, and from lane to lane by more than what memory hands out together.
#include "pass/memory/turn.h"

static struct ir_stmt_node *node_of(const struct turner *x, ir_stmt s) { return &x->u->stmts[s]; }

uint32_t turn_dim_of(const struct turner *x, ir_var v) {
    uint32_t d = 0;
    while (d < x->space.n && x->space.vars[d] != v)
        d++;
    return d;
}

bool turn_is_known(const struct turner *x, const struct pass_affine *f, ir_var counter) {
    bool known = f->ok && f->constant <= INT32_MAX / 2 && f->constant >= INT32_MIN / 2;
    for (uint32_t i = 0; i < f->n && known; i++) {
        ir_var v = f->vars[i];
        bool alike = x->u->vars[v].klass != IR_VAR_LOCAL || x->common[v];
        known = (v == counter || alike || turn_dim_of(x, v) < x->space.n) && f->coefs[i] <= INT32_MAX &&
                f->coefs[i] >= INT32_MIN;
    }
    return known;
}

// Neighbouring passes touch neighbouring words, neighbouring lanes do not.
static bool is_along_row(const struct turner *x, const struct pass_access *a) {
    const struct ir_array_info *info = &x->u->arrays[a->array];
    int64_t stride = 1, of_pass = 0, of_lane = 0;
    uint32_t last = x->space.n - 1, size = 0;
    ir_var counter = node_of(x, x->loop)->counted.var;
    while (last && x->space.extents[last] == 1)
        last--;
    for (uint32_t d = a->n; d-- > 0; stride *= size) {
        if (!ir_is_const(x->u, info->dims[d], &size) || !turn_is_known(x, &a->sub[d], counter) ||
            x->u->nodes[a->indices[d]].type != IR_I32)
            return false;
        of_pass += stride * pass_affine_coef(&a->sub[d], counter);
        of_lane += stride * pass_affine_coef(&a->sub[d], x->space.vars[last]);
    }
    return of_pass == 1 && (of_lane >= PASS_SECTOR_WORDS || of_lane <= -PASS_SECTOR_WORDS);
}

static uint32_t count_of(const struct pass_accesses *list, ir_array a) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < list->count; i++)
        count += list->items[i].array == a;
    return count;
}

// Each element that the loop touches belongs to one iteration. Its passes count from 0.
static bool is_owned(const struct turner *x, const struct pass_accesses *list, ir_array a) {
    struct pass_range *range = &x->sc->ever[node_of(x, x->loop)->counted.var], before = *range;
    *range = (struct pass_range){0, (int64_t)x->trips - 1, true};
    bool owned = pass_owned(x->sc, list, a, &x->space);
    *range = before;
    return owned;
}

// In every pass, also where the program does not come to it.
static bool is_inside(const struct turner *x, const struct pass_access *a) {
    for (uint32_t d = 0; d < a->n; d++) {
        struct pass_range r = pass_range_of(x->sc, a->indices[d]);
        uint32_t size = 0;
        if (!ir_is_const(x->u, x->u->arrays[a->array].dims[d], &size) || !r.known || r.lo < 0 || r.hi >= size)
            return false;
    }
    return true;
}

static bool may_turn(const struct turner *x, const struct pass_access *a, const struct pass_accesses *list) {
    const struct ir_array_info *info = &x->u->arrays[a->array];
    bool written = ir_bit(x->fx.arrays_written, a->array);
    if (!ir_in_buffer(x->u, a->array) || info->klass == IR_ARRAY_TABLE || info->atomic || a->array == x->u->log ||
        ir_elem_type((enum whorl_dtype)info->elem) == IR_BOOL ||
        pass_elements(x->u, a->array, 0, PASS_MOST_INDEXED) - 1 >= PASS_MOST_INDEXED)
        return false;
    if (a->conditional && !is_inside(x, a)) return false;
    // Words that a condition leaves are loaded and stored again: in all of the iteration nobody else may store them.
    const struct pass_accesses *asked = a->store && a->conditional ? &x->all : list;
    // a narrow word that comes back is rounded on its way
    return !written ||
           ((a->store || whorl_dtype_size((enum whorl_dtype)info->elem) == 4) && is_owned(x, asked, a->array));
}

static uint32_t row_of(struct turner *x, const struct pass_access *a) {
    struct turn_row r = {.array = a->array, .n = a->n};
    uint32_t at = 0;
    for (bool same = false; at < x->row_count; at++, same = false) {
        same = x->rows[at].array == a->array;
        for (uint32_t d = 0; d < a->n && same; d++)
            same = pass_affine_equal(&x->rows[at].at[d], &a->sub[d]);
        if (same) return at;
    }
    if (at == PASS_TURN_ROWS) return at;
    for (uint32_t d = 0; d < a->n; d++)
        r.at[d] = a->sub[d];
    x->rows[x->row_count] = r;
    return x->row_count++;
}

// What is written stands in one row, or stays where it is.
static void find_rows(struct turner *x, const struct pass_accesses *list) {
    bool *refused = base_alloc_array(x->u->cx, x->u->array_count, sizeof *refused);
    x->row_count = 0;
    x->walked_count = list->count;
    x->walked = base_alloc_array(x->u->cx, list->count + 1, sizeof *x->walked);
    for (uint32_t i = 0; i < list->count; i++) {
        const struct pass_access *a = &list->items[i];
        uint32_t row = is_along_row(x, a) && may_turn(x, a, list) ? row_of(x, a) : PASS_TURN_ROWS;
        bool same = row < PASS_TURN_ROWS;
        for (uint32_t k = 0; k < i; k++)
            same &= list->items[k].array != a->array || x->walked[k].row == row;
        refused[a->array] |= ir_bit(x->fx.arrays_written, a->array) && !same;
        x->walked[i] = (struct turn_access){a->load, a->stmt, row};
    }
    for (uint32_t i = 0; i < list->count; i++) {
        const struct pass_access *a = &list->items[i];
        if (refused[a->array]) x->walked[i].row = PASS_TURN_ROWS;
        if (x->walked[i].row == PASS_TURN_ROWS) continue;
        struct turn_row *r = &x->rows[x->walked[i].row];
        r->stored |= a->store;
        r->loaded |= !a->store || a->conditional;
        r->meets = ir_bit(x->fx.arrays_written, a->array) &&
                   (!r->stored || r->loaded || x->depth || count_of(list, a->array) < count_of(&x->all, a->array));
    }
}

// Even numbers of the body's own statements, by statement; those in them have the odd ones behind.
static void number_in(const struct turner *x, ir_stmt block, uint32_t number, uint32_t *of) {
    for (ir_stmt s = block; s; s = node_of(x, s)->next) {
        ir_stmt inner[2];
        uint32_t blocks = ir_blocks_of(node_of(x, s), inner);
        of[s] = number ? number : (of[0] += 2);
        for (uint32_t i = 0; i < blocks; i++)
            number_in(x, inner[i], of[s] | 1, of);
    }
}

// In each pass the one row's word is loaded before the other one's is stored.
static bool follows(const struct turner *x, uint32_t loaded, uint32_t stored, const uint32_t *of) {
    bool all = true;
    for (uint32_t i = 0; i < x->walked_count; i++)
        for (uint32_t k = 0; k < x->walked_count; k++) {
            const struct turn_access *a = &x->walked[i], *b = &x->walked[k];
            bool once = a->stmt == b->stmt && of[a->stmt] % 2 == 0;
            if (a->row == loaded && b->row == stored) all &= of[a->stmt] / 2 < of[b->stmt] / 2 || once;
        }
    return all;
}

static enum ir_type type_of(const struct turner *x, uint32_t r) {
    return ir_elem_type((enum whorl_dtype)x->u->arrays[x->rows[r].array].elem);
}

// A row that is stored takes the place of one that is loaded before.
static void share_room(struct turner *x) {
    uint32_t *of = base_alloc_array(x->u->cx, x->u->stmt_count, sizeof *of);
    bool taken[PASS_TURN_ROWS] = {false};
    number_in(x, node_of(x, x->loop)->counted.body, 0, of);
    for (uint32_t r = 0; r < x->row_count; r++) {
        uint32_t with = x->rows[r].with = r;
        for (uint32_t k = 0; k < x->row_count && with == r && x->rows[r].stored && !x->rows[r].loaded; k++)
            if (x->rows[k].loaded && !x->rows[k].stored && !taken[k] && type_of(x, k) == type_of(x, r) &&
                follows(x, k, r, of))
                with = k;
        taken[with] |= with != r;
        x->rows[r].with = with;
    }
}

// So many words of each row have room: those of this loop, and in a program of one dispatch beside what others have.
// One memory of each type is used in turn.
static bool have_room(struct turner *x, uint32_t words) {
    uint64_t most[IR_F32 + 1] = {0}, own[IR_F32 + 1] = {0}, here = 0, all = 0;
    uint32_t bytes = x->p->target->workgroup_bytes, room = bytes > IR_LANES_BYTES ? (bytes - IR_LANES_BYTES) / 4 : 0;
    for (ir_array a = 1; a < x->u->array_count && x->p->one_kernel; a++) {
        const struct ir_array_info *info = &x->u->arrays[a];
        uint64_t end = info->is_box ? info->data_count + ir_box_words(x->u, a) : 0;
        enum ir_type type = ir_elem_type((enum whorl_dtype)info->elem);
        if (end > most[type]) most[type] = end;
    }
    for (uint32_t r = 0; r < x->row_count; r++)
        own[type_of(x, r)] += turn_is_kept(&x->rows[r]) && x->rows[r].with == r ? PASS_WORKGROUP * (words + 1) : 0;
    for (int type = 0; type <= IR_F32; type++) {
        here += own[type];
        all += own[type] > most[type] ? own[type] : most[type];
    }
    return here <= PASS_TURN_ROOM && all <= room;
}

// As many words of each row at a time as there is room for; of rows that do not fit the last ones stay in memory.
static bool choose_words(struct turner *x) {
    bool any = false;
    share_room(x);
    for (x->words = PASS_TURN_MOST_WORDS; x->words > PASS_TURN_LEAST_WORDS; x->words /= 2)
        if (x->words * PASS_TURN_LEAST_STRETCHES <= x->trips && have_room(x, x->words)) break;
    if (x->words > PASS_SECTOR_WORDS && x->trips % x->words && x->trips % PASS_SECTOR_WORDS == 0)
        x->words = PASS_SECTOR_WORDS; // all stretches are alike
    for (uint32_t r = x->row_count; r-- > 0 && !have_room(x, x->words);) {
        x->rows[r].loaded = x->rows[r].stored = false;
        share_room(x);
    }
    for (uint32_t i = 0; i < x->walked_count; i++) {
        bool kept = x->walked[i].row < PASS_TURN_ROWS && turn_is_kept(&x->rows[x->walked[i].row]);
        if (!kept) x->walked[i].row = PASS_TURN_ROWS;
        any |= kept;
    }
    return any;
}

bool turn_find_rows(struct turner *x, const struct pass_accesses *accesses) {
    ir_var counter = node_of(x, x->loop)->counted.var;
    for (uint32_t i = 0; i < accesses->count; i++)
        for (uint32_t d = 0; d < accesses->items[i].n; d++) {
            struct pass_affine *f = &accesses->items[i].sub[d];
            if (f->ok) *f = pass_affine_sum(pass_affine_coef(f, counter), &x->lo, f);
        }
    find_rows(x, accesses);
    return choose_words(x);
}
