// Tables of rows that a function of the file allocates, or that statements do, one row at a time or all of them in one
// piece, counted from 0 or from 1. For an iteration the program has an array in their place (scratch.c):
//
//     double **table(int n, int m)                  |
//     {                                             |
//         double **t = malloc(n * sizeof *t);       |  int ccv_t_1 = columns;
//         for (int i = 0; i < n; i++)               |  double ccv_room_7[rows][ccv_t_1];
//             t[i] = malloc(m * sizeof **t);        |  double (*t)[ccv_t_1] = ccv_room_7;
//         return t;                                 |
//     }                                             |
//     double **t = table(rows, columns);            |
//
// Which rows are set is not looked at: others lead nowhere. That rows are apart is: each is memory of its own, or they
// follow each other in steps of which the memory's size is a multiple.
#include <stdlib.h>
#include <string.h>

#include "cc/region.h"

enum { MOST_SHIFTS = 6 };
struct shift {
    uint32_t from, to;
    bool is_down;
};
struct reading {
    const struct cc_source *s;
    const struct cc_function *function; // NULL: statements of the region
    const struct cc_name *own, *data,
        *moving;                   // the table; memory of all rows; what goes through it, `t[i] = p; p += m;`
    const struct cc_name *counter; // of the loop around the statement; NULL: none is
    uint32_t rows, rows_end, cells, cells_end; // the two allocations, as tokens
    const struct cc_name *cells_of;
    bool is_each, clears; // `is_each`: one for each row
    struct cc_derivation step;
    struct shift row_shifts[MOST_SHIFTS], column_shifts[MOST_SHIFTS];
    uint32_t row_shift_count, column_shift_count;
};

bool cc_is_table(const struct cc_name *name) {
    return name && name->kind == CC_VARIABLE && !name->is_file && !name->is_static && !name->is_param &&
           name->derive_count == 2 && name->derive[0].kind == CC_POINTER && name->derive[1].kind == CC_POINTER &&
           !name->is_unfolded && !name->is_odd;
}

// ---- tokens ---------------------------------------------------------------------------------------------------------

static bool is_name(const struct cc_source *s, uint32_t at, const struct cc_name *name) {
    return name && cc_kind(s, at) == FRONT_TOK_IDENT && s->tokens[at].text == name->text &&
           cc_find(s, name->text, at) == name;
}

static struct cc_derivation strip(const struct cc_source *s, uint32_t from, uint32_t to) {
    while (from + 2 < to && cc_kind(s, from) == FRONT_P_LPAREN) {
        uint32_t behind = cc_skip_group(s, from);
        if (behind == to)
            from++, to--;
        else if (cc_starts_declaration(s, from + 1)) // a cast
            from = behind;
        else
            break;
    }
    return (struct cc_derivation){.from = from, .to = to};
}

static bool names(const struct cc_source *s, uint32_t from, uint32_t to, const struct cc_name *name) {
    for (; from < to; from++)
        if (is_name(s, from, name)) return true;
    return false;
}

static bool is_same(const struct cc_source *s, uint32_t at, const struct cc_derivation *d) {
    for (uint32_t k = d->from; k < d->to; k++)
        if (s->tokens[k].text != s->tokens[at + k - d->from].text) return false;
    return true;
}

// ---- steps from row to row ------------------------------------------------------------------------------------------

// `i * m`, `(i - low) * m`: all factors but the one with the loop's counter, if they stand together.
static bool take_product(struct reading *r, struct cc_derivation d) {
    const struct cc_source *s = r->s;
    d = strip(s, d.from, d.to);
    uint32_t star = 0;
    for (uint32_t at = d.from; at < d.to; at = cc_kind(s, at) == FRONT_P_LPAREN ? cc_skip_group(s, at) : at + 1) {
        enum front_token_kind kind = cc_kind(s, at);
        if (kind == FRONT_P_PLUS || kind == FRONT_P_MINUS || kind == FRONT_P_SLASH || kind == FRONT_P_PERCENT)
            return false;
        if (kind == FRONT_P_STAR && (!star || !names(s, d.from, star, r->counter))) star = at;
    }
    if (!star) return false;
    bool first = names(s, d.from, star, r->counter), second = names(s, star + 1, d.to, r->counter);
    if (first == second) return false;
    r->step = first ? strip(s, star + 1, d.to) : strip(s, d.from, star);
    return true;
}

// What a row is set to: t[i - 1] + m, t[0] + i * m, data + i * m, &data[i * m], p.
static bool take_row(struct reading *r, uint32_t from, uint32_t to) {
    const struct cc_source *s = r->s;
    struct cc_derivation d = strip(s, from, to);
    bool is_address = cc_kind(s, d.from) == FRONT_P_AMP;
    d.from += is_address;
    bool is_own = is_name(s, d.from, r->own);
    if (!is_own && !is_name(s, d.from, r->data) && !is_name(s, d.from, r->moving)) return false;
    uint32_t index = d.from + 1, behind = is_own ? cc_skip_group(s, index) : index;
    if (is_own && cc_kind(s, index) != FRONT_P_LBRACKET) return false;
    if (is_address) {
        uint32_t end = cc_kind(s, behind) == FRONT_P_LBRACKET ? cc_skip_group(s, behind) : 0;
        return end == d.to && take_product(r, (struct cc_derivation){.from = behind + 1, .to = end - 1});
    }
    if (behind == d.to) { // the pointer that goes on
        r->moving = is_own ? NULL : cc_find(s, s->tokens[d.from].text, d.from);
        return !is_own;
    }
    if (cc_kind(s, behind) != FRONT_P_PLUS) return false;
    bool is_before = is_own && behind == index + 5 && is_name(s, index + 1, r->counter) &&
                     cc_kind(s, index + 2) == FRONT_P_MINUS && strcmp(s->tokens[index + 3].text, "1") == 0;
    if (!is_before) return take_product(r, (struct cc_derivation){.from = behind + 1, .to = d.to});
    r->step = strip(s, behind + 1, d.to);
    return true;
}

// ---- statements -----------------------------------------------------------------------------------------------------

static bool add_shift(struct shift *list, uint32_t *count, struct shift shift) {
    if (*count == MOST_SHIFTS) return false;
    list[(*count)++] = shift;
    return true;
}

static bool take_cells(struct reading *r, const struct cc_name *of, uint32_t at, uint32_t to) {
    uint32_t end, call = r->cells ? 0 : cc_allocation_at(r->s, at, &end);
    if (!call || end > to) return false;
    r->cells = call;
    r->cells_end = end;
    r->cells_of = of;
    r->is_each = r->counter != NULL;
    return !r->is_each || (of == r->own && !names(r->s, call, end, r->counter)); // rows of one length
}

// Behind `t[i]`.
static bool take_element(struct reading *r, uint32_t at, uint32_t end) {
    const struct cc_source *s = r->s;
    enum front_token_kind kind = cc_kind(s, at);
    if (kind == FRONT_P_LBRACKET && r->counter) { // t[i][j] = 0
        uint32_t behind = cc_skip_group(s, at);
        const char *value = s->tokens[behind + 1].text;
        r->clears = true;
        return cc_kind(s, behind) == FRONT_P_ASSIGN && behind + 2 == end && value[0] == '0' && strtod(value, NULL) == 0;
    }
    if (kind == FRONT_P_PLUS_ASSIGN || kind == FRONT_P_MINUS_ASSIGN)
        return add_shift(r->column_shifts, &r->column_shift_count,
                         (struct shift){at + 1, end, kind == FRONT_P_MINUS_ASSIGN});
    if (kind != FRONT_P_ASSIGN) return false;
    if (!r->cells) return take_cells(r, r->own, at + 1, end);
    if (!r->counter) return is_name(s, at + 1, r->data) && at + 2 == end;
    return !r->is_each && !r->step.to && take_row(r, at + 1, end);
}

static bool take_assignment(struct reading *r, const struct cc_node *n) {
    const struct cc_source *s = r->s;
    uint32_t at = n->from, end = n->to - 1;
    enum front_token_kind kind = cc_kind(s, at + 1);
    const struct cc_name *name = cc_kind(s, at) == FRONT_TOK_IDENT ? cc_find(s, s->tokens[at].text, at) : NULL;
    bool shifts = kind == FRONT_P_PLUS_ASSIGN || kind == FRONT_P_MINUS_ASSIGN;
    if (!name || name->kind != CC_VARIABLE || name->is_file) return false;
    if (name == r->own && kind == FRONT_P_LBRACKET) return r->rows && take_element(r, cc_skip_group(s, at + 1), end);
    if (name == r->own && shifts && !r->counter)
        return r->rows &&
               add_shift(r->row_shifts, &r->row_shift_count, (struct shift){at + 2, end, kind == FRONT_P_MINUS_ASSIGN});
    if (name == r->moving && kind == FRONT_P_PLUS_ASSIGN && r->counter && !r->step.to) {
        r->step = strip(s, at + 2, end);
        return true;
    }
    if (kind != FRONT_P_ASSIGN || r->counter) return false;
    if (name == r->own && !r->rows) {
        r->rows = cc_allocation_at(s, at + 2, &r->rows_end);
        return r->rows && r->rows_end == end;
    }
    if (name == r->data) return take_cells(r, r->data, at + 2, end);
    return r->function && !name->is_param && !name->derive_count; // a number, of which is looked at what is used
}

static bool take_declaration(struct reading *r, const struct cc_node *n) {
    const struct cc_source *s = r->s;
    for (uint32_t i = 0; i < s->declared_count; i++) {
        const struct cc_name *name = s->declared[i];
        if (name->is_file || name->at < n->from || name->at >= n->to) continue;
        bool has_value = cc_kind(s, name->end) == FRONT_P_ASSIGN, ok = !name->derive_count;
        if (cc_is_table(name) && (!r->own || r->own == name)) {
            r->own = name;
            r->rows = has_value ? cc_allocation_at(s, name->end + 1, &r->rows_end) : 0;
            ok = !has_value || r->rows;
        } else if (cc_is_pointer(name) && !r->data) {
            r->data = name;
            ok = !has_value || take_cells(r, name, name->end + 1, n->to);
        } else if (cc_is_pointer(name) && !has_value) {
            r->moving = name;
            ok = true;
        }
        if (!ok) return false;
    }
    return true;
}

// `if (!t) stop();`, `if (t[i] == NULL) ...`.
static bool is_check(const struct reading *r, const struct cc_node *n) {
    const struct cc_source *s = r->s;
    uint32_t at = n->from + 2, end = cc_skip_group(s, n->from + 1) - 1;
    if (cc_kind(s, n->from) != FRONT_KW_IF || (n->child && n->child->next)) return false;
    bool asks = false, is_named = false;
    while (at < end) {
        enum front_token_kind kind = cc_kind(s, at);
        bool is_ours = is_name(s, at, r->own) || is_name(s, at, r->data);
        asks = asks || kind == FRONT_P_NOT || kind == FRONT_P_EQ;
        if (kind == FRONT_P_NOT && cc_kind(s, at + 1) == FRONT_P_LPAREN) return false; // it may be there then
        bool is_null = kind == FRONT_P_NOT || kind == FRONT_P_EQ || kind == FRONT_TOK_INT || kind == FRONT_P_LPAREN ||
                       kind == FRONT_P_RPAREN || kind == FRONT_P_STAR || kind == FRONT_KW_VOID || kind == FRONT_P_OROR;
        if (!is_ours && !is_null && strcmp(s->tokens[at].text, "NULL") != 0) return false;
        is_named = is_named || is_ours;
        at++;
        if (is_ours && cc_kind(s, at) == FRONT_P_LBRACKET) at = cc_skip_group(s, at);
    }
    return asks && is_named;
}

static bool take(struct reading *r, const struct cc_node *n) {
    const struct cc_source *s = r->s;
    switch (n->kind) {
    case CC_DECLARATION: return !r->counter && take_declaration(r, n);
    case CC_SIMPLE: return take_assignment(r, n) || (r->own && cc_is_null_check(s, n, r->own));
    case CC_BRANCH: return is_check(r, n);
    case CC_BLOCK:
        for (n = n->child; n; n = n->next)
            if (!take(r, n)) return false;
        return true;
    case CC_FOR: {
        const struct cc_name *around = r->counter;
        uint32_t at = n->from + 2;
        while (cc_kind(s, at) != FRONT_P_ASSIGN && cc_kind(s, at) != FRONT_P_SEMI)
            at++;
        const struct cc_name *counter = cc_find(s, s->tokens[at - 1].text, n->child ? n->child->from : at - 1);
        if (!n->child || !counter || counter->kind != CC_VARIABLE) return false;
        if (!around) r->counter = counter;
        bool ok = take(r, n->child);
        r->counter = around;
        return ok;
    }
    default: return false;
    }
}

// ---- as text --------------------------------------------------------------------------------------------------------

// "((long )(1 )) ": 1; less than 0: no such number.
static int number_in(const char *text) {
    int value = -1;
    for (const char *p = text; *p;) {
        bool is_digit = *p >= '0' && *p <= '9', is_letter = (*p | 32) >= 'a' && (*p | 32) <= 'z';
        if (is_digit && value >= 0) return -1;
        if (is_digit) {
            char *end;
            long number = strtol(p, &end, 10);
            if (number > 4096) return -1;
            value = (int)number;
            p = end;
        } else if (is_letter || *p == '_') {
            while ((*p | 32) >= 'a' ? (*p | 32) <= 'z' || *p == '_' : *p == '_' || (*p >= '0' && *p <= '9'))
                p++;
        } else if (*p == ' ' || *p == '(' || *p == ')') {
            p++;
        } else {
            return -1;
        }
    }
    return value;
}

// How far columns may begin behind a row's first element, as a sum of plain numbers.
static int column_room(const struct reading *r, const struct cc_given *given, const char *allocated) {
    int room = 0;
    for (uint32_t i = 0; i < r->column_shift_count; i++) {
        struct base_text t;
        base_text_init(&t, r->s->cx);
        cc_put_given(&t, r->s, r->own, r->column_shifts[i].from, r->column_shifts[i].to, given);
        int own = number_in(t.data);
        if (own < 0) return -1;
        room += own;
    }
    while (*allocated == ' ')
        allocated++;
    int own = *allocated == '-' ? number_in(allocated + 1) : *allocated ? -1 : 0;
    return own < 0 ? -1 : room + own;
}

static bool is_plain(const struct reading *r, uint32_t from, uint32_t to) {
    return from < to && cc_is_plain_given(r->s, r->function, r->own, from, to);
}

static bool are_plain(const struct reading *r) {
    const struct cc_source *s = r->s;
    const uint32_t calls[][2] = {{r->rows, r->rows_end}, {r->cells, r->cells_end}};
    for (uint32_t c = 0; c < 2; c++)
        for (uint32_t k = calls[c][0] + 2, to; k < calls[c][1] - 1; k = to + 1) {
            to = cc_behind_argument(s, k, calls[c][1] - 1);
            if (!is_plain(r, k, to)) return false;
        }
    for (uint32_t i = 0; i < r->row_shift_count; i++)
        if (!is_plain(r, r->row_shifts[i].from, r->row_shifts[i].to)) return false;
    for (uint32_t i = 0; i < r->column_shift_count; i++)
        if (!is_plain(r, r->column_shifts[i].from, r->column_shifts[i].to)) return false;
    if (r->is_each) return true;
    bool is_part = false; // of the memory's size
    for (uint32_t at = r->cells + 2; at + (r->step.to - r->step.from) < r->cells_end; at++)
        is_part = is_part || is_same(s, at, &r->step);
    return is_part && is_plain(r, r->step.from, r->step.to);
}

// All is known, of the program's array `name`, as it is at the place that `given` says.
static bool finish(struct reading *r, const struct cc_name *name, const struct cc_given *given, struct cc_table *out) {
    const struct cc_source *s = r->s;
    if (!r->own || !r->rows || !r->cells || (!r->is_each && !r->step.to) || !are_plain(r)) return false;
    struct base_text type, columns, shift;
    base_text_init(&type, s->cx);
    base_text_init(&columns, s->cx);
    base_text_init(&shift, s->cx);
    cc_put_type(&type, s, name, false);
    const struct cc_allocation rows = cc_allocation_given(s, r->own, r->rows, r->rows_end, given),
                               cells = cc_allocation_given(s, r->cells_of, r->cells, r->cells_end, given);
    int room = column_room(r, given, cells.shift);
    if (room < 0) return false;
    if (r->is_each)
        base_text_format(&columns, "(%s) / sizeof(%s)", cells.bytes, type.data);
    else
        cc_put_given(&columns, s, r->own, r->step.from, r->step.to, given);
    for (uint32_t i = 0; i < r->row_shift_count; i++) {
        base_text_put(&shift, r->row_shifts[i].is_down ? " - (" : " + (");
        cc_put_given(&shift, s, r->own, r->row_shifts[i].from, r->row_shifts[i].to, given);
        base_text_put(&shift, ")");
    }
    out->rows = base_format(s->cx, "(%s) / sizeof(%s *)", rows.bytes, type.data);
    out->columns = base_format(s->cx, "(int)(%s) + %d", columns.data, room);
    out->shift = base_format(s->cx, "%s%s", rows.shift, shift.size ? shift.data : "");
    out->clears = r->clears || cells.clears;
    out->is_padded = !r->is_each && room > 0;
    return true;
}

bool cc_table_at(const struct cc_source *s, const struct cc_name *name, uint32_t at, struct cc_table *out) {
    at = strip(s, at, s->count - 1).from;
    const struct cc_function *f = cc_kind(s, at) == FRONT_TOK_IDENT ? cc_called(s, at) : NULL;
    if (!f || !f->body || f->body->kind != CC_BLOCK) return false;
    struct reading r = {.s = s, .function = f};
    const struct cc_given given = {f, at, name, NULL};
    out->end = cc_skip_group(s, at + 1);
    enum front_token_kind behind = cc_kind(s, out->end);
    if (behind != FRONT_P_SEMI && behind != FRONT_P_COMMA) return false;
    for (uint32_t k = at + 2, to; k < out->end - 1; k = to + 1) {
        to = cc_behind_argument(s, k, out->end - 1);
        if (!cc_is_plain_given(s, NULL, NULL, k, to)) return false;
    }
    for (const struct cc_node *n = f->body->child; n; n = n->next) {
        if (cc_kind(s, n->from) != FRONT_KW_RETURN) {
            if (!take(&r, n)) return false;
            continue;
        }
        struct cc_derivation value = strip(s, n->from + 1, n->to - 1);
        if (n->next || value.to != value.from + 1 || !is_name(s, value.from, r.own)) return false;
        return finish(&r, name, &given, out);
    }
    return false;
}

// Where the statement declares the name, or begins with it, behind the `=`; 0: neither.
static uint32_t value_at(const struct cc_source *s, const struct cc_name *name, const struct cc_node *n) {
    bool declares = n->kind == CC_DECLARATION && name->at >= n->from && name->at < n->to;
    uint32_t at = declares ? name->end : n->kind == CC_SIMPLE && is_name(s, n->from, name) ? n->from + 1 : 0;
    return at && cc_kind(s, at) == FRONT_P_ASSIGN ? at + 1 : 0;
}

bool cc_table_in(const struct cc_source *s, const struct cc_name *name, const struct cc_node *n, struct cc_table *out) {
    struct reading r = {.s = s, .own = name};
    uint32_t at = value_at(s, name, n);
    r.rows = at ? cc_allocation_at(s, at, &r.rows_end) : 0;
    out->end = r.rows_end;
    out->last = NULL;
    for (n = n->next; r.rows && n; n = n->next) {
        const struct reading before = r;
        bool is_ours = n->kind == CC_FOR || n->kind == CC_BRANCH || n->kind == CC_SIMPLE;
        if (!is_ours || !take(&r, n)) {
            r = before;
            break;
        }
        out->last = n;
    }
    return out->last && finish(&r, name, NULL, out);
}

// ---- frees ----------------------------------------------------------------------------------------------------------

// `free(t)`, `free(t[i] + 1)`, loops of these.
static bool frees(const struct cc_source *s, const struct cc_name *name, const struct cc_node *n) {
    if (n->kind == CC_FOR && n->child) return frees(s, name, n->child);
    if (n->kind == CC_BLOCK) {
        for (n = n->child; n; n = n->next)
            if (!frees(s, name, n)) return false;
        return true;
    }
    if (n->kind == CC_BRANCH) { // if (t) free(t);
        struct cc_derivation asked = strip(s, n->from + 1, cc_skip_group(s, n->from + 1));
        bool asks = is_name(s, asked.from, name) && n->child && !n->child->next;
        return asks && frees(s, name, n->child);
    }
    if (n->kind != CC_SIMPLE || !cc_is_free(s, n->from)) return false;
    uint32_t end = cc_skip_group(s, n->from + 1) - 1;
    struct cc_derivation freed = strip(s, n->from + 2, cc_behind_argument(s, n->from + 2, end));
    for (uint32_t at = freed.from; at < freed.to; at++)
        if (cc_is_step(cc_kind(s, at)) || cc_is_assignment(cc_kind(s, at)) || cc_called(s, at)) return false;
    return end + 2 == n->to && is_name(s, freed.from, name);
}

bool cc_is_table_free(const struct cc_source *s, const struct cc_name *name, const struct cc_node *n) {
    if (frees(s, name, n)) return true;
    struct cc_derivation part;
    const struct cc_function *f = n->kind == CC_SIMPLE ? cc_called(s, n->from) : NULL;
    const struct cc_name *param = f && f->body && f->body->kind == CC_BLOCK ? cc_param_at(s, f, 0, &part) : NULL;
    if (!param) return false;
    uint32_t end = cc_skip_group(s, n->from + 1);
    struct cc_derivation first = strip(s, n->from + 2, cc_behind_argument(s, n->from + 2, end - 1));
    if (end + 1 != n->to || first.to != first.from + 1 || !is_name(s, first.from, name)) return false;
    if (!f->body->child) return false;
    for (const struct cc_node *c = f->body->child; c; c = c->next)
        if (c->kind == CC_DECLARATION ? names(s, c->from, c->to, param) : !frees(s, param, c)) return false;
    return true;
}
