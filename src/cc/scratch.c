// Memory that an iteration, or a function that it calls, allocates for itself. The program has an array in its place:
//
//     double *t = malloc(n * sizeof(double));       |  double ccv_room_7[(n * sizeof(double)) / sizeof(double)];
//     ...                                           |  double *t = ccv_room_7;
//     free(t);                                      |  ;
//
// This is done where nothing but names of the same block leads to it, as it ends with the block. If the front-end then
// does not take the region, it is read again with the calls that are there.
#include <string.h>

#include "cc/region.h"

struct scratch {
    struct cc_region *region;
    const struct cc_node *root; // the body of a function, or of a loop that threads share out
    cc_take_edit *take;
    void *user;
    const struct cc_name **names; // whose memory is the program's
    uint32_t count, cap;
    struct room *rooms;
    uint32_t room_count, room_cap;
};

static bool is_use(const struct cc_source *s, const struct cc_name *name, uint32_t at) {
    enum front_token_kind before = cc_kind(s, at - 1);
    return s->tokens[at].text == name->text && before != FRONT_P_DOT && before != FRONT_P_ARROW && at != name->at &&
           cc_find(s, name->text, at) == name;
}

// `row = t[0];` of a table: what is behind its end is the next row.
static bool is_row(const struct cc_source *s, const struct cc_name *name, uint32_t at) {
    if (name->derive_count != 2 || cc_kind(s, at + 1) != FRONT_P_LBRACKET) return false;
    return cc_kind(s, cc_skip_group(s, at + 1)) != FRONT_P_LBRACKET;
}
static bool is_first_row(const struct cc_source *s, const struct cc_name *name, uint32_t at) {
    bool is_constant = cc_kind(s, at + 2) == FRONT_TOK_INT && cc_kind(s, at + 3) == FRONT_P_RBRACKET;
    enum front_token_kind left = cc_kind(s, at - 2);
    bool is_factor = left == FRONT_TOK_IDENT || left == FRONT_TOK_INT || left == FRONT_TOK_FLOAT ||
                     left == FRONT_P_RPAREN || left == FRONT_P_RBRACKET;
    bool is_first = cc_kind(s, at - 1) == FRONT_P_STAR && !is_factor; // *t
    return name->derive_count == 2 && (is_first || (is_row(s, name, at) && is_constant));
}

// Of `&t[i]` what stands before it: a call, or a pointer of the block that is set to it.
static bool is_address_kept(const struct cc_source *s, uint32_t at, const struct cc_node *block) {
    enum front_token_kind before = cc_kind(s, at);
    if (before == FRONT_P_LPAREN || before == FRONT_P_COMMA) return true;
    const struct cc_name *to = before == FRONT_P_ASSIGN ? cc_find(s, s->tokens[at - 1].text, at - 1) : NULL;
    return to && to->kind == CC_VARIABLE && to->from >= block->from && to->from < block->to;
}

// Whatever leads to the memory, which it has from the token `own` on, ends with the block.
static bool stays_in(const struct scratch *x, const struct cc_name *name, const struct cc_node *block, uint32_t own) {
    const struct cc_source *s = x->region->source;
    for (uint32_t at = x->root->from; at < x->root->to; at++) {
        if (!is_use(s, name, at)) continue;
        enum front_token_kind before = cc_kind(s, at - 1), behind = cc_kind(s, at + 1);
        if (at < block->from || at >= block->to || before == FRONT_KW_RETURN) return false;
        if (before == FRONT_P_AMP) {
            if (behind != FRONT_P_LBRACKET || !is_address_kept(s, at - 2, block)) return false;
            continue;
        }
        if (before == FRONT_P_RPAREN && behind == FRONT_P_SEMI) return false; // a cast
        uint32_t end;
        bool is_set = behind == FRONT_P_ASSIGN && (at + 2 == own || cc_allocation_at(s, at + 2, &end));
        if (cc_is_assignment(behind) && !is_set) return false;
        if (before != FRONT_P_ASSIGN || (behind == FRONT_P_LBRACKET && !is_row(s, name, at))) continue;
        const struct cc_name *to = cc_find(s, s->tokens[at - 2].text, at - 2);
        if (!to || to->kind != CC_VARIABLE || to->from < block->from || to->from >= block->to) return false;
    }
    return true;
}

static bool can_be_array(const struct cc_name *name) {
    return name && name->kind == CC_VARIABLE && !name->is_file && !name->is_static && !name->is_param &&
           name->derive_count == 1 && name->derive[0].kind == CC_POINTER && !name->is_unfolded && !name->is_odd;
}

static const char *room_name(const struct cc_source *s, uint32_t call) {
    return base_format(s->cx, CC_PREFIX "room_%u", call);
}

// The declaration of the array `own`.
static void put_array(struct base_text *out, const struct cc_source *s, const struct cc_name *name, const char *own,
                      const struct cc_allocation *a, struct base_text *clear) {
    cc_put_type(out, s, name, false);
    base_text_format(out, "%s[(%s) / sizeof(", own, a->bytes);
    cc_put_type(out, s, name, false);
    base_text_put(out, ")]; ");
    if (!a->clears) return;
    base_text_format(clear, " for (unsigned " CC_PREFIX "k = 0; " CC_PREFIX "k < (%s) / sizeof(", a->bytes);
    cc_put_type(clear, s, name, false);
    base_text_format(clear, "); " CC_PREFIX "k++) %s[" CC_PREFIX "k] = 0;", own);
}

// The variable before a `=`, which the statement declares or begins with; NULL: another place.
static const struct cc_name *name_set(const struct cc_source *s, const struct cc_node *n, uint32_t at) {
    for (uint32_t i = s->declared_count; n->kind == CC_DECLARATION && i-- > 0;)
        if (s->declared[i]->at == at - 1) return s->declared[i];
    return n->kind == CC_SIMPLE && at == n->from + 1 ? cc_find(s, s->tokens[at - 1].text, at - 1) : NULL;
}

// Allocations of one statement in a block.
static void take_statement(struct scratch *x, const struct cc_node *n) {
    const struct cc_source *s = x->region->source;
    struct base_text before, clear;
    base_text_init(&before, s->cx);
    base_text_init(&clear, s->cx);
    if (n->parent->kind != CC_BLOCK || n->parent->from < x->root->from) return;
    for (uint32_t at = n->from; at < n->to; at++) {
        uint32_t end, call = cc_kind(s, at) == FRONT_P_ASSIGN ? cc_allocation_at(s, at + 1, &end) : 0;
        const struct cc_name *name = call ? name_set(s, n, at) : NULL;
        if (!can_be_array(name) || !stays_in(x, name, n->parent, 0)) continue;
        BASE_RESERVE(s->cx, x->names, x->count, x->cap);
        x->names[x->count++] = name;
        const struct cc_allocation a = cc_allocation_of(s, name, call, end);
        put_array(&before, s, name, room_name(s, call), &a, &clear);
        x->take(x->user, at + 1, end, base_format(s->cx, "%s %s", room_name(s, call), a.shift));
    }
    if (!before.size) return;
    x->take(x->user, n->from, n->from + 1,
            base_format(s->cx, "%s%s %s", before.data, clear.size ? clear.data : "", s->tokens[n->from].text));
}

// An argument that is nothing but a name, to before the end of a statement; what stands behind it is free_vector's.
static bool is_alone(const struct cc_source *s, uint32_t at, uint32_t end) {
    enum front_token_kind next = cc_kind(s, at + 1);
    return next == FRONT_P_COMMA || (next == FRONT_P_RPAREN && at + 2 == end);
}

// `free(t);`
static void take_end(struct scratch *x, const struct cc_node *n) {
    const struct cc_source *s = x->region->source;
    uint32_t at = n->from + 2;
    if (!cc_is_free(s, n->from)) return;
    if (cc_kind(s, at) == FRONT_P_LPAREN) at = cc_skip_group(s, at); // a cast
    const struct cc_name *name = cc_kind(s, at) == FRONT_TOK_IDENT ? cc_find(s, s->tokens[at].text, at) : NULL;
    for (uint32_t i = 0; i < x->count; i++)
        if (x->names[i] == name && cc_skip_group(s, n->from + 1) + 1 == n->to && is_alone(s, at, n->to - 1)) {
            x->take(x->user, n->from, n->to - 1, "(void)0");
            return;
        }
}

// ---- tables of rows -------------------------------------------------------------------------------------------------

static bool is_padded_right(const struct scratch *x, const struct cc_name *name, const struct cc_table *t) {
    const struct cc_source *s = x->region->source;
    for (uint32_t at = x->root->from; at < x->root->to && t->is_padded; at++)
        if (is_use(s, name, at) && is_first_row(s, name, at)) return false;
    return true;
}

// The table of the statement, which the name has from `*out_at` on.
static bool find_table(const struct scratch *x, const struct cc_name *name, const struct cc_node *n,
                       struct cc_table *out, uint32_t *out_at) {
    const struct cc_source *s = x->region->source;
    bool declares = name->at >= n->from && name->at < n->to;
    uint32_t at = declares ? name->end : n->from + 1;
    if (cc_kind(s, at) != FRONT_P_ASSIGN) return false;
    *out_at = at + 1;
    *out = (struct cc_table){0};
    return cc_table_at(s, name, at + 1, out) || cc_table_in(s, name, n, out);
}

static void put_table(struct base_text *out, struct scratch *x, const struct cc_name *name, uint32_t at,
                      const struct cc_table *t) {
    const struct cc_source *s = x->region->source;
    const char *width = base_format(s->cx, CC_PREFIX "%s_1", name->text), *room = room_name(s, at);
    base_text_format(out, "int %s = %s; ", width, t->columns);
    cc_put_type(out, s, name, false);
    base_text_format(out, "%s[%s][%s]; ", room, t->rows, width);
    if (t->clears)
        base_text_format(out,
                         "for (int " CC_PREFIX "k = 0; " CC_PREFIX "k < (int)(%s); " CC_PREFIX
                         "k++) for (int " CC_PREFIX "j = 0; " CC_PREFIX "j < %s; " CC_PREFIX "j++) %s[" CC_PREFIX
                         "k][" CC_PREFIX "j] = 0; ",
                         t->rows, width, room);
    cc_put_type(out, s, name, true);
    base_text_format(out, "(*%s)[%s] = %s %s; ", name->text, width, room, t->shift);
    struct cc_region *r = x->region;
    BASE_RESERVE(s->cx, r->tables, r->table_count, r->table_cap);
    r->tables[r->table_count++] = name;
    BASE_RESERVE(s->cx, x->names, x->count, x->cap);
    x->names[x->count++] = name;
}

// The name's own declaration declares another one.
static void drop_declarator(struct scratch *x, const struct cc_name *name, uint32_t behind) {
    x->take(x->user, name->at - 2, behind, base_format(x->region->source->cx, CC_PREFIX "none_%u", name->at));
}

// Statements, or their bodies, that do nothing in the program.
static void drop(struct scratch *x, const struct cc_node *n) {
    bool goes_on = n->kind == CC_FOR || n->kind == CC_BRANCH;
    if (goes_on)
        drop(x, n->child);
    else
        x->take(x->user, n->from, n->to, ";");
}

static bool is_plain_declarator(const struct cc_source *s, const struct cc_name *name) {
    return cc_kind(s, name->at - 1) == FRONT_P_STAR && cc_kind(s, name->at - 2) == FRONT_P_STAR;
}

// Tables that the statement sets.
static void take_tables(struct scratch *x, const struct cc_node *n) {
    const struct cc_source *s = x->region->source;
    struct base_text before;
    base_text_init(&before, s->cx);
    if (n->parent->kind != CC_BLOCK || n->parent->from < x->root->from) return;
    const struct cc_name *set = n->kind == CC_SIMPLE ? name_set(s, n, n->from + 1) : NULL;
    for (uint32_t i = 0; i < s->declared_count; i++) {
        const struct cc_name *name = s->declared[i];
        struct cc_table t;
        uint32_t at;
        bool declares = n->kind == CC_DECLARATION && name->at >= n->from && name->at < n->to;
        if ((!declares && name != set) || !cc_is_table(name) || !is_plain_declarator(s, name)) continue;
        if (!find_table(x, name, n, &t, &at) || !stays_in(x, name, n->parent, at) || !is_padded_right(x, name, &t))
            continue;
        put_table(&before, x, name, at, &t);
        drop_declarator(x, name, declares ? t.end : name->end);
        for (const struct cc_node *own = n; t.last && own != t.last; own = own->next)
            drop(x, own->next);
    }
    if (before.size && n->kind == CC_SIMPLE)
        x->take(x->user, n->from, n->to, before.data);
    else if (before.size)
        x->take(x->user, n->from, n->from + 1, base_format(s->cx, "%s%s", before.data, s->tokens[n->from].text));
}

static void take_table_end(struct scratch *x, const struct cc_node *n) {
    for (uint32_t i = 0; i < x->count; i++)
        if (x->names[i]->derive_count == 2 && cc_is_table_free(x->region->source, x->names[i], n)) {
            drop(x, n);
            return;
        }
}

static void look(struct scratch *x, const struct cc_node *n) {
    if (n->kind == CC_DECLARATION || n->kind == CC_SIMPLE) take_statement(x, n);
    if (n->kind == CC_DECLARATION || n->kind == CC_SIMPLE) take_tables(x, n);
    if (n->kind == CC_SIMPLE) take_end(x, n);
    if (n->kind != CC_BLOCK) take_table_end(x, n);
    for (n = n->child; n; n = n->next)
        look(x, n);
}

static bool shares_out(const struct cc_source *s, const struct cc_node *n) {
    if (n->kind == CC_PRAGMA) return true;
    for (n = n->child; n; n = n->next)
        if (shares_out(s, n)) return true;
    return false;
}

// ---- of each thread -------------------------------------------------------------------------------------------------

// `double *t = malloc(...)` in a region, for one loop that threads share out: each iteration may have its own.
struct room {
    const struct cc_name *name;
    const struct cc_node *loop;
    uint32_t call, end, freed; // `freed`: the argument of the `free` behind the loop; 0: there is none
    struct cc_table table;     // of a table of rows
};

// The loop that all uses but the last `free` are in.
static bool find_use(struct scratch *x, struct room *room) {
    const struct cc_source *s = x->region->source;
    for (uint32_t at = x->region->node->from; at < x->region->node->to; at++) {
        if (s->tokens[at].text != room->name->text || at == room->name->at || at + 2 == room->call) continue;
        if (!is_use(s, room->name, at)) continue;
        const struct cc_node *loop = NULL;
        for (const struct cc_node *n = x->region->node; n && !loop; n = cc_child_at(n, at))
            if (n != x->region->node && n->kind == CC_PRAGMA) loop = n;
        enum front_token_kind next = cc_kind(s, at + 1);
        bool is_free = !loop && cc_is_free(s, at - 2) && (next == FRONT_P_RPAREN || next == FRONT_P_COMMA);
        if (is_free && !room->freed && room->loop)
            room->freed = at;
        else if (!loop || (room->loop && room->loop != loop) || at < loop->child->from)
            return false;
        else
            room->loop = loop;
    }
    return room->loop && cc_has_word(s, room->loop, "for") && room->loop->child->kind == CC_FOR &&
           room->loop->child->child && !cc_may_know_first(s, room->loop, room->name);
}

// Nothing of the region's own is in it, so it is the same in each iteration.
static bool is_outer(const struct scratch *x, const struct cc_name *own, uint32_t from, uint32_t to) {
    const struct cc_source *s = x->region->source;
    for (; from < to; from++) {
        uint32_t behind = cc_behind_own_size(s, own, from);
        if (behind) from = behind - 1;
        const struct cc_name *name =
            cc_kind(s, from) == FRONT_TOK_IDENT ? cc_find(s, s->tokens[from].text, from) : NULL;
        if (cc_kind(s, from) == FRONT_TOK_IDENT && (!name || (!name->is_file && name->from >= x->region->node->from)))
            return false;
    }
    return true;
}

static void take_room(struct scratch *x, const struct cc_node *n) {
    const struct cc_source *s = x->region->source;
    bool is_declared = n->kind == CC_DECLARATION;
    for (uint32_t at = n->from; at < n->to; at++) {
        struct room room = {0};
        room.call = cc_kind(s, at) == FRONT_P_ASSIGN ? cc_allocation_at(s, at + 1, &room.end) : 0;
        room.name = room.call ? name_set(s, n, at) : NULL;
        if (!can_be_array(room.name) || room.name->from < x->region->node->from ||
            cc_allocation_of(s, room.name, room.call, room.end).clears || !find_use(x, &room) ||
            !is_outer(x, room.name, room.call + 2, room.end - 1))
            continue;
        x->root = room.loop->child->child;
        if (room.loop->from < n->to || !stays_in(x, room.name, x->root, 0)) continue;
        x->take(x->user, is_declared ? at : n->from, room.end, is_declared ? " " : "(void)0");
        if (room.freed) x->take(x->user, room.freed - 2, cc_skip_group(s, room.freed - 1), "(void)0");
        BASE_RESERVE(s->cx, x->rooms, x->room_count, x->room_cap);
        x->rooms[x->room_count++] = room;
        BASE_RESERVE(s->cx, x->names, x->count, x->cap);
        x->names[x->count++] = room.name;
    }
}

// Of a table: the loop that all uses are in but those of `end`, statements behind it that free its rows.
static bool find_table_use(struct scratch *x, struct room *room, const struct cc_node *set) {
    const struct cc_source *s = x->region->source;
    for (uint32_t at = x->region->node->from; at < x->region->node->to; at++) {
        if (!is_use(s, room->name, at) || at + 2 == room->call) continue;
        const struct cc_node *loop = NULL, *behind = set->next;
        for (const struct cc_node *n = x->region->node; n && !loop; n = cc_child_at(n, at))
            if (n != x->region->node && n->kind == CC_PRAGMA) loop = n;
        while (behind && at >= behind->to)
            behind = behind->next;
        if (!loop && room->loop && behind && cc_is_table_free(s, room->name, behind)) continue;
        if (!loop || (room->loop && room->loop != loop) || !loop->child || at < loop->child->from) return false;
        room->loop = loop;
    }
    return room->loop && cc_has_word(s, room->loop, "for") && room->loop->child->kind == CC_FOR &&
           room->loop->child->child && !cc_may_know_first(s, room->loop, room->name);
}

static void take_table_rooms(struct scratch *x, const struct cc_node *n) {
    const struct cc_source *s = x->region->source;
    const struct cc_name *set = n->kind == CC_SIMPLE ? name_set(s, n, n->from + 1) : NULL;
    for (uint32_t i = 0; i < s->declared_count; i++) {
        const struct cc_name *name = s->declared[i];
        bool declares = n->kind == CC_DECLARATION && name->at >= n->from && name->at < n->to;
        struct room room = {.name = name, .call = (declares ? name->end : n->from + 1) + 1};
        if ((!declares && name != set) || !cc_is_table(name) || !is_plain_declarator(s, name)) continue;
        if (name->from < x->region->node->from || cc_kind(s, room.call - 1) != FRONT_P_ASSIGN) continue;
        if (!cc_table_at(s, name, room.call, &room.table) || room.table.clears || !find_table_use(x, &room, n) ||
            !is_outer(x, name, room.call, room.table.end))
            continue;
        x->root = room.loop->child->child;
        if (room.loop->from < n->to || !stays_in(x, name, x->root, room.call) || !is_padded_right(x, name, &room.table))
            continue;
        drop_declarator(x, name, declares ? room.table.end : name->end);
        if (!declares) drop(x, n);
        for (const struct cc_node *end = n->next; end; end = end->next)
            if (cc_is_table_free(s, name, end)) drop(x, end);
        BASE_RESERVE(s->cx, x->rooms, x->room_count, x->room_cap);
        x->rooms[x->room_count++] = room;
    }
}

// In the body of the loop of room `first`, if none before it is of that.
static void put_rooms(struct scratch *x, uint32_t first) {
    const struct cc_source *s = x->region->source;
    const struct cc_node *loop = x->rooms[first].loop, *body = loop->child->child;
    struct base_text text, none;
    base_text_init(&text, s->cx);
    base_text_init(&none, s->cx);
    base_text_put(&text, "{ ");
    for (uint32_t i = 0; i < x->room_count; i++) {
        const struct room *room = &x->rooms[i];
        if (room->loop != loop) continue;
        if (i < first) return;
        if (room->table.rows) {
            put_table(&text, x, room->name, room->call, &room->table);
            continue;
        }
        const struct cc_allocation a = cc_allocation_of(s, room->name, room->call, room->end);
        put_array(&text, s, room->name, room_name(s, room->call), &a, &none);
        cc_put_type(&text, s, room->name, true);
        base_text_format(&text, "*%s = " CC_PREFIX "room_%u %s; ", room->name->text, room->call, a.shift);
    }
    x->take(x->user, body->from, body->from + 1, base_format(s->cx, "%s%s", text.data, s->tokens[body->from].text));
    x->take(x->user, body->to - 1, body->to, base_format(s->cx, "%s }", s->tokens[body->to - 1].text));
}

static void find_rooms(struct scratch *x, const struct cc_node *n) {
    if (n != x->region->node && n->kind == CC_PRAGMA) return;
    if (n->kind == CC_DECLARATION || n->kind == CC_SIMPLE) {
        take_room(x, n);
        take_table_rooms(x, n);
    }
    bool in_turn = n == x->region->node || n->kind == CC_BLOCK;
    for (n = n->child; n && in_turn; n = n->next)
        find_rooms(x, n);
}

static bool is_in_room(const struct scratch *x, const struct cc_node *n) {
    for (uint32_t i = 0; i < x->room_count; i++)
        if (n->from <= x->rooms[i].call && x->rooms[i].call < n->to) return true;
    return false;
}

// Nobody asks what the array of that name would say in another way than the pointer.
static bool is_only_used(const struct scratch *x, const struct cc_name *name, uint32_t call, uint32_t end) {
    const struct cc_source *s = x->region->source;
    for (uint32_t at = x->root->from; at < x->root->to; at++) {
        if (!is_use(s, name, at) || (call <= at && at < end)) continue;
        enum front_token_kind before = cc_kind(s, at - 1), behind = cc_kind(s, at + 1);
        bool measures = before == FRONT_KW_SIZEOF || cc_kind(s, at - 2) == FRONT_KW_SIZEOF;
        bool is_other = before == FRONT_P_ASSIGN && behind != FRONT_P_LBRACKET; // another name
        if (measures || is_other || (cc_is_assignment(behind) && at + 2 != call)) return false;
        if (before == FRONT_P_INC || before == FRONT_P_DEC || behind == FRONT_P_INC || behind == FRONT_P_DEC)
            return false;
    }
    return true;
}

// Of what each thread allocates in the region's block for several statements, as a histogram of its own: arrays of the
// block with the pointers' names, where a declaration has no other names.
static void take_declaration(struct scratch *x, const struct cc_node *n) {
    const struct cc_source *s = x->region->source;
    struct base_text text, clear;
    base_text_init(&text, s->cx);
    base_text_init(&clear, s->cx);
    uint32_t first = x->count;
    for (uint32_t i = 0; i < s->declared_count; i++) {
        const struct cc_name *name = s->declared[i];
        if (name->is_file || name->at < n->from || name->at >= n->to) continue;
        uint32_t end, call = cc_kind(s, name->end) == FRONT_P_ASSIGN ? cc_allocation_at(s, name->end + 1, &end) : 0;
        struct cc_allocation a = {0};
        if (call && can_be_array(name)) a = cc_allocation_of(s, name, call, end);
        if (!a.bytes || a.shift[0] || !stays_in(x, name, n->parent, 0) || !is_only_used(x, name, call, end)) {
            x->count = first;
            return;
        }
        put_array(&text, s, name, name->text, &a, &clear);
        BASE_RESERVE(s->cx, x->names, x->count, x->cap);
        x->names[x->count++] = name;
    }
    if (x->count == first) return;
    x->take(x->user, n->from, n->to, base_format(s->cx, "%s%s", text.data, clear.size ? clear.data : ""));
}

// The same where a statement of the block sets a pointer that was declared before in it: `own = malloc(...);`.
static void take_set(struct scratch *x, const struct cc_node *n) {
    const struct cc_source *s = x->region->source;
    const struct cc_name *name = name_set(s, n, n->from + 1);
    uint32_t end, call = cc_kind(s, n->from + 1) == FRONT_P_ASSIGN ? cc_allocation_at(s, n->from + 2, &end) : 0;
    if (!call || !can_be_array(name) || name->at < x->root->from || name->at >= n->from || name->has_init) return;
    const struct cc_node *declared = cc_child_at(x->root, name->at);
    if (!declared || declared->kind != CC_DECLARATION || cc_kind(s, name->at - 1) != FRONT_P_STAR) return;
    const struct cc_allocation a = cc_allocation_of(s, name, call, end);
    for (uint32_t at = name->at + 1; at < n->from; at++)
        if (is_use(s, name, at)) return;
    if (a.shift[0] || !stays_in(x, name, x->root, 0) || !is_only_used(x, name, n->from + 2, end)) return;
    struct base_text text, clear;
    base_text_init(&text, s->cx);
    base_text_init(&clear, s->cx);
    put_array(&text, s, name, name->text, &a, &clear);
    x->take(x->user, name->at - 1, name->end, base_format(s->cx, CC_PREFIX "none_%u", name->at));
    x->take(x->user, n->from, n->to, base_format(s->cx, "%s%s", text.data, clear.size ? clear.data : ""));
    BASE_RESERVE(s->cx, x->names, x->count, x->cap);
    x->names[x->count++] = name;
}

static bool take_block(const struct scratch *rooms) {
    struct cc_region *r = rooms->region;
    const struct cc_node *block = r->node->child;
    struct scratch x = {.region = r, .root = block, .take = rooms->take, .user = rooms->user};
    if (r->node->kind != CC_PRAGMA || !block || block->kind != CC_BLOCK || cc_has_word(r->source, r->node, "for"))
        return false;
    for (const struct cc_node *n = block->child; n; n = n->next) {
        if (n->kind == CC_DECLARATION && !is_in_room(rooms, n)) take_declaration(&x, n);
        if (n->kind == CC_SIMPLE && !is_in_room(rooms, n)) take_set(&x, n);
        if (n->kind == CC_SIMPLE) take_end(&x, n);
    }
    return x.count > 0;
}

// ---- all ------------------------------------------------------------------------------------------------------------

// Bodies of the loops that threads share out: all that is in them is an iteration's own.
static void find_loops(struct scratch *x, const struct cc_node *n) {
    bool is_loop = n->kind == CC_PRAGMA && cc_has_word(x->region->source, n, "for") && n->child;
    if (is_loop && n->child->kind == CC_FOR && n->child->child) {
        x->root = n->child->child;
        look(x, x->root);
        return;
    }
    for (n = n->child; n; n = n->next)
        find_loops(x, n);
}

bool cc_take_scratch(struct cc_region *r, cc_take_edit *take, void *user) {
    const struct cc_source *s = r->source;
    struct scratch x = {.region = r, .take = take, .user = user};
    const bool *reached = cc_reached(r);
    r->table_count = 0;
    if (r->no_scratch) return false;
    if (!r->is_loop) find_rooms(&x, r->node);
    for (uint32_t i = 0; i < x.room_count; i++)
        put_rooms(&x, i);
    bool any = take_block(&x);
    find_loops(&x, r->node);
    for (uint32_t i = 0; i < s->function_count; i++) {
        x.root = s->functions[i].body;
        if (reached[i] && !shares_out(s, x.root)) look(&x, x.root);
    }
    return any || x.count > 0;
}
