// What a region uses of the function around it, and which of that has no meaning outside of the region.
#include <string.h>

#include "cc/region.h"

// With the user's names: those of the program may have something in front of them.
static const char *said_to_user(struct base_cx *cx, const char *text) {
    struct base_text said;
    base_text_init(&said, cx);
    for (size_t i = 0; text[i]; i++) {
        if (strncmp(text + i, CC_PREFIX, sizeof CC_PREFIX - 1) == 0) {
            i += sizeof CC_PREFIX - 2;
            size_t digits = strspn(text + i + 1, "0123456789"); // of statics.c
            if (digits && text[i + 1 + digits] == '_') i += digits + 1;
        } else {
            base_text_add(&said, text + i, 1);
        }
    }
    return said.data ? said.data : "";
}

bool cc_refuse(struct cc_region *r, uint32_t line, const char *format, ...) {
    if (r->reason) return false;
    va_list args;
    va_start(args, format);
    r->reason = said_to_user(r->source->cx, base_vformat(r->source->cx, format, args));
    va_end(args);
    r->reason_line = line;
    return false;
}

// ---- which variables ------------------------------------------------------------------------------------------------

static bool is_member(const struct cc_source *s, uint32_t at) {
    if (at == 0) return false;
    return cc_kind(s, at - 1) == FRONT_P_DOT || cc_kind(s, at - 1) == FRONT_P_ARROW;
}

static bool is_tag(const struct cc_source *s, uint32_t at) {
    enum front_token_kind before = at ? cc_kind(s, at - 1) : FRONT_TOK_END;
    return before == FRONT_KW_STRUCT || before == FRONT_KW_UNION || before == FRONT_KW_ENUM;
}

// A struct that is declared inside of a function is not known elsewhere, or another one is.
bool cc_names_local_tag(const struct cc_source *s, uint32_t at) {
    if (!is_tag(s, at)) return false;
    for (uint32_t i = 0; i < s->local_tag_count; i++)
        if (s->local_tags[i] == s->tokens[at].text) return true;
    return false;
}

// A type by another name, behind which a pointer or an array hides.
static bool hides_shape(const struct cc_source *s, const struct cc_name *name, uint32_t depth) {
    for (uint32_t at = name->spec_from; at < name->spec_to; at++) {
        if (cc_kind(s, at) != FRONT_TOK_IDENT || is_tag(s, at)) continue;
        const struct cc_name *type = cc_find(s, s->tokens[at].text, at);
        if (!type || type->kind != CC_TYPE) continue;
        if (type->derive_count || type->is_odd || type->is_volatile) return type->derive_count || type->is_volatile;
        return depth < 20 && hides_shape(s, type, depth + 1);
    }
    return false;
}

bool cc_has_rows(const struct cc_name *name) {
    bool ends = name->derive_count == 2 || (name->derive_count == 3 && name->derive[2].kind == CC_POINTER);
    return ends && name->derive[1].kind == CC_POINTER && name->derive[0].kind != CC_FUNCTION;
}

static bool is_void_pointer(const struct cc_source *s, const struct cc_name *name) {
    bool is_void = false;
    for (uint32_t at = name->spec_from; at < name->spec_to; at++)
        is_void = is_void || cc_kind(s, at) == FRONT_KW_VOID;
    return is_void && name->derive_count == 1 && name->derive[0].kind == CC_POINTER;
}

static bool leads_to_functions(const struct cc_name *name) {
    for (uint32_t i = 0; i < name->derive_count; i++)
        if (name->derive[i].kind == CC_FUNCTION) return true;
    return false;
}

// What can be said again as a parameter: scalars and structs, arrays, pointers to them, pointers to rows.
bool cc_check_shape(struct cc_region *r, const struct cc_name *name) {
    const struct cc_source *s = r->source;
    uint32_t line = s->tokens[name->at].line;
    if (strncmp(name->text, "whorl_", 6) == 0)
        return cc_refuse(r, line, "'%s' may be a name of what is put around the region", name->text);
    if (name->is_volatile) return cc_refuse(r, line, "'%s' is volatile", name->text);
    if (name->is_thread) return cc_refuse(r, line, "'%s' is a variable of each thread", name->text);
    if (name->is_register && name->derive_count && name->derive[0].kind == CC_ARRAY)
        return cc_refuse(r, line, "'%s' is in registers and has no address", name->text);
    for (uint32_t at = name->spec_from; at < name->spec_to; at++)
        if (cc_names_local_tag(s, at))
            return cc_refuse(r, line, "struct %s is declared inside of a function", s->tokens[at].text);
    if (name->is_odd) return cc_refuse(r, line, "the type of '%s' has no name", name->text);
    if (hides_shape(s, name, 0))
        return cc_refuse(r, line, "'%s' is a pointer or an array by a typedef; declare it as one", name->text);
    if (is_void_pointer(s, name))
        return cc_refuse(
            r, line,
            "'%s' leads to something without a type: declare a pointer of its type in front of the region, "
            "float *x = %s",
            cc_said(name), cc_said(name));
    if (cc_is_function_pointer(name) && cc_target_text(r, name)) return true;
    if (!cc_check_functions(r, name) || !cc_check_device_scalar(r, name)) return false;
    if (leads_to_functions(name) && name->derive_count > 2)
        return cc_refuse(r, line,
                         "'%s' leads to pointers to functions: a region can call by those of constant tables at file "
                         "scope that nobody changes; else keep numbers there, and choose by switch",
                         cc_said(name));
    if (leads_to_functions(name)) return cc_refuse(r, line, "'%s' points to a function", name->text);
    for (uint32_t i = 0; i < name->derive_count; i++) {
        if (i && name->derive[i].kind == CC_POINTER && name->derive_count == 4)
            return cc_refuse(r, line,
                             "'%s' leads to tables of rows, of which a region may name those at places that it leaves "
                             "alone, %s[k][i][j][l]",
                             name->text, name->text);
        if (i && name->derive[i].kind == CC_POINTER && !cc_has_rows(name))
            return cc_refuse(r, line,
                             "'%s' leads to pointers; allocate one array of all rows and use a pointer to a row, "
                             "(*%s)[COLUMNS]",
                             name->text, name->text);
    }
    return true;
}

static uint32_t behind_declaration(const struct cc_source *s, uint32_t at) {
    while (cc_kind(s, at) != FRONT_P_SEMI && cc_kind(s, at) != FRONT_TOK_END)
        at = cc_kind(s, at) == FRONT_P_LBRACE ? cc_skip_group(s, at) : at + 1;
    return at + 1;
}

// A typedef or enum inside of the function: said again in the program, if it needs nothing else of the function.
static bool repeat_declaration(struct cc_region *r, const struct cc_name *name) {
    const struct cc_source *s = r->source;
    uint32_t end = behind_declaration(s, name->said_from);
    bool is_alone = name->kind == CC_TYPE ? cc_kind(s, name->said_from) == FRONT_KW_TYPEDEF : !name->is_odd;
    for (uint32_t at = name->said_from; at < end && is_alone; at++) {
        const struct cc_name *other = cc_kind(s, at) == FRONT_TOK_IDENT ? cc_find(s, s->tokens[at].text, at) : NULL;
        is_alone = !cc_names_local_tag(s, at) && (!other || other->is_file || other->said_from == name->said_from);
    }
    if (!is_alone)
        return cc_refuse(r, s->tokens[name->at].line, "'%s' is declared inside of a function; declare it at file scope",
                         name->text);
    for (uint32_t i = 0; i < r->repeated_count; i++)
        if (r->repeated[i].from == name->said_from) return true;
    BASE_RESERVE(s->cx, r->repeated, r->repeated_count, r->repeated_cap);
    r->repeated[r->repeated_count++] = (struct cc_derivation){.from = name->said_from, .to = end};
    return true;
}

static bool is_constant_table(const struct cc_name *name) {
    if (!name->is_file || !name->is_const || !name->has_init || name->is_extern) return false;
    for (uint32_t i = 0; i < name->derive_count; i++)
        if (name->derive[i].kind == CC_POINTER) return false;
    return true;
}

bool cc_take_room(struct cc_region *r, struct cc_name *name) {
    if (!cc_is_room(r->source, name)) return cc_take_kept(r, name);
    for (uint32_t i = 0; i < r->room_count; i++)
        if (r->rooms[i]->text == name->text) return true;
    BASE_RESERVE(r->source->cx, r->rooms, r->room_count, r->room_cap);
    r->rooms[r->room_count++] = name;
    return true;
}

static struct cc_variable *add_variable(struct cc_region *r, struct cc_name *name) {
    for (uint32_t i = 0; i < r->var_count; i++)
        if (r->vars[i].name == name) return &r->vars[i];
    if (!cc_check_shape(r, name)) return NULL;
    BASE_RESERVE(r->source->cx, r->vars, r->var_count, r->var_cap);
    bool is_value = !name->derive_count || cc_is_function_pointer(name);
    uint8_t form = is_value ? CC_VALUE : name->derive[0].kind == CC_POINTER ? CC_REACH : CC_WHOLE;
    r->vars[r->var_count] = (struct cc_variable){.name = name, .form = form};
    if (name->base && cc_has_rows(name))
        r->vars[r->var_count].in_calls = true;
    else
        r->vars[r->var_count].through = name->base != NULL;
    return &r->vars[r->var_count++];
}

// Tables of rows at file scope that a function names.
static void find_tables(struct cc_region *r, const struct cc_function *f) {
    const struct cc_source *s = r->source;
    for (uint32_t at = f->from; at < f->to; at++) {
        if (cc_kind(s, at) != FRONT_TOK_IDENT || is_member(s, at) || cc_exit_at(s, at)) continue;
        const struct cc_name *name = cc_find(s, s->tokens[at].text, at);
        if (!name || name->kind != CC_VARIABLE || !name->is_file || name->is_thread || !cc_has_rows(name)) continue;
        if (cc_member_at(r, at)) continue; // of pointers to structs (each.c)
        struct cc_name *here = cc_find(s, name->text, r->node->from);
        struct cc_variable *v = here && here->is_file ? add_variable(r, here) : NULL;
        if (v) v->in_calls = true;
    }
}

// What functions of the region name, and is not seen later (judge.c).
static void find_in_functions(struct cc_region *r) {
    const bool *reached = cc_reached(r);
    for (uint32_t i = 0; i < r->member_count; i++)
        if (r->members[i].name && r->members[i].name->base) add_variable(r, r->members[i].name);
    for (uint32_t i = 0; i < r->source->function_count; i++)
        if (reached[i]) find_tables(r, &r->source->functions[i]);
}

// ---- where they live ------------------------------------------------------------------------------------------------

// `for (v = ...; ...)`: whatever v was before, it is set. The start value itself is not covered.
static bool sets_counter(const struct cc_source *s, const struct cc_node *n, const char *text, uint32_t at) {
    if (n->kind != CC_FOR || s->tokens[n->from + 2].text != text || cc_kind(s, n->from + 3) != FRONT_P_ASSIGN)
        return false;
    uint32_t semi = n->from + 4;
    while (cc_kind(s, semi) != FRONT_P_SEMI && semi < n->to)
        semi = cc_kind(s, semi) == FRONT_P_LPAREN ? cc_skip_group(s, semi) : semi + 1;
    return at < n->from + 4 || at > semi;
}

bool cc_is_in_clause(const struct cc_source *s, const struct cc_node *n, const char *clause, const char *text) {
    if (n->kind != CC_PRAGMA) return false;
    for (uint32_t at = n->from; cc_kind(s, at) != FRONT_TOK_PRAGMA_END; at++) {
        if (strcmp(s->tokens[at].text, clause) != 0 || cc_kind(s, at + 1) != FRONT_P_LPAREN) continue;
        for (at += 2; cc_kind(s, at) != FRONT_P_RPAREN; at++) {
            if (cc_kind(s, at) == FRONT_TOK_PRAGMA_END) return false; // a parenthesis is missing
            if (s->tokens[at].text == text) return true;
        }
    }
    return false;
}

// `v = ...;` in a block, before the statement in which the use stands, and on the way to it. `without`, if any,
// does not stand between the two.
static bool is_set_before(const struct cc_source *s, const struct cc_node *n, const struct cc_node *without,
                          const char *text, uint32_t at) {
    if (n->kind != CC_BLOCK || n->is_entered) return false;
    uint32_t from = without && at >= without->to ? without->to : 0;
    for (const struct cc_node *c = n->child; c && c->to <= at; c = c->next)
        if (c->from >= from && c->kind == CC_SIMPLE && s->tokens[c->from].text == text &&
            cc_kind(s, c->from + 1) == FRONT_P_ASSIGN)
            return true;
    return false;
}

// The use is the left side of such a statement.
static bool is_setting(const struct cc_source *s, const struct cc_node *n, uint32_t at) {
    return n->kind == CC_SIMPLE && n->from == at && cc_kind(s, at + 1) == FRONT_P_ASSIGN;
}

static bool covers(const struct cc_source *s, const struct cc_node *n, const char *text, uint32_t at) {
    return sets_counter(s, n, text, at) || cc_is_in_clause(s, n, "private", text) ||
           is_set_before(s, n, NULL, text, at) || is_setting(s, n, at);
}

const struct cc_node *cc_child_at(const struct cc_node *n, uint32_t at) {
    for (n = n->child; n; n = n->next)
        if (n->from <= at && at < n->to) return n;
    return NULL;
}

const struct cc_node *cc_statement_at(const struct cc_node *n, uint32_t at) {
    for (const struct cc_node *c = cc_child_at(n, at); c; c = cc_child_at(n, at))
        n = c;
    return n;
}

// The innermost loop around both. From `without` one comes round to a use before it, and passes nothing that stands
// before the loop.
static const struct cc_node *loop_around(const struct cc_node *n, const struct cc_node *without, uint32_t at) {
    const struct cc_node *loop = NULL;
    for (; n && n->from <= without->from && n->to >= without->to; n = cc_child_at(n, at))
        if (n != without && (n->kind == CC_FOR || n->kind == CC_LOOP)) loop = n;
    return loop;
}

// Is the use at a token behind a statement that sets the variable or makes it private? Of statements that hold
// `without` only what stands behind it counts, or before both.
static bool is_covered(const struct cc_source *s, const struct cc_node *n, const struct cc_node *without,
                       const char *text, uint32_t at) {
    const struct cc_node *loop = without && at < without->from ? loop_around(n, without, at) : NULL;
    for (; n; n = cc_child_at(n, at)) {
        bool holds = without && n->from <= without->from && n->to >= without->to;
        bool is_outside = loop && n->from <= loop->from && n->to >= loop->to;
        if (!is_outside && (holds ? is_set_before(s, n, without, text, at) : covers(s, n, text, at))) return true;
    }
    return false;
}

static bool has_constant_size(const struct cc_source *s, const struct cc_name *name) {
    for (uint32_t i = 0; i < name->derive_count; i++)
        if (name->derive[i].kind != CC_ARRAY || !cc_is_constant(s, &name->derive[i])) return false;
    return true;
}

// The clause, of those that give each thread an array of its own, around a token; NULL: none.
static const char *owning_clause(const struct cc_region *r, const char *text, uint32_t at) {
    static const char *const clauses[] = {"private", "firstprivate", "lastprivate", "copyin", "copyprivate"};
    for (const struct cc_node *n = r->node; n; n = cc_child_at(n, at))
        for (size_t i = 0; i < sizeof clauses / sizeof *clauses; i++)
            if (cc_is_in_clause(r->source, n, clauses[i], text)) return clauses[i];
    return NULL;
}

// Functions of the region mean the array itself by its name.
static bool is_named_in_calls(struct cc_region *r, const struct cc_name *name) {
    const struct cc_source *s = r->source;
    const bool *reached = cc_reached(r);
    if (!name->is_file) return false;
    if (r->import_count && !name->is_static) return true; // those of other files may
    for (uint32_t i = 0; i < s->function_count; i++)
        for (uint32_t at = s->functions[i].from; reached[i] && at < s->functions[i].to; at++)
            if (s->tokens[at].text == name->text && !is_member(s, at) && cc_find(s, name->text, at) == name)
                return true;
    return false;
}

// An array that private(...) names wherever the region uses it is one of the program, and one that firstprivate(...)
// names with the values that it has. In the program other arrays are pointers, of which no clause makes a copy.
static void find_owners(struct cc_region *r, struct cc_variable *v) {
    const struct cc_source *s = r->source;
    const struct cc_name *name = v->name;
    const char *clause = NULL;
    bool always = true, is_copied = false;
    if (v->form != CC_WHOLE) return;
    for (uint32_t at = r->node->from; at < r->node->to; at++) {
        if (s->tokens[at].text != name->text || is_member(s, at) || cc_find(s, name->text, at) != name) continue;
        const char *here = owning_clause(r, name->text, at);
        bool is_first = here && strcmp(here, "firstprivate") == 0;
        clause = here ? here : clause;
        is_copied = is_copied || is_first;
        always = always && here && (is_first || strcmp(here, "private") == 0);
    }
    if (!clause) return;
    if (!always || !has_constant_size(s, name) || is_named_in_calls(r, name))
        cc_refuse(r, 0, "%s(%s) of an array: declare it inside of the loop", clause, name->text);
    else if (is_copied)
        v->is_copied = true;
    else
        v->form = CC_SCRATCH;
}

// `&v`, `&(v)`; and `v.x`, which may be an array.
static bool takes_address(const struct cc_source *s, uint32_t at) {
    if (cc_kind(s, at + 1) == FRONT_P_DOT) return true;
    while (at > 1 && cc_kind(s, at - 1) == FRONT_P_LPAREN)
        at--;
    return at && cc_kind(s, at - 1) == FRONT_P_AMP;
}

// The function may come to the region again while the variable is the same one.
static bool comes_round(const struct cc_region *r, const struct cc_name *name) {
    const struct cc_node *body = r->node;
    for (uint32_t at = r->function->from; at < r->function->to; at++)
        if (cc_kind(r->source, at) == FRONT_KW_GOTO) return true;
    for (const struct cc_node *n = body->parent; n; body = n, n = n->parent)
        if ((n->kind == CC_FOR || n->kind == CC_LOOP) && name->at < body->from) return true;
    return false;
}

// A clause private(...) around a token: what it names there is another variable.
static bool is_in_private(const struct cc_source *s, const struct cc_node *n, const char *text, uint32_t at) {
    for (; n; n = cc_child_at(n, at))
        if (cc_is_in_clause(s, n, "private", text)) return true;
    return false;
}

static void find_life(struct cc_region *r, struct cc_variable *v) {
    if (v->name->said) return; // a member stays what it becomes
    const struct cc_source *s = r->source;
    const struct cc_node *node = r->node;
    bool inside = true, outside = !v->name->is_file && !v->name->is_static, is_others = !v->name->is_file;
    for (uint32_t at = r->function->from; at < r->function->to; at++) {
        if (s->tokens[at].text != v->name->text || at == v->name->at || is_member(s, at)) continue;
        if (cc_find(s, v->name->text, at) != v->name) continue;
        bool is_inside = node->from <= at && at < node->to;
        if (is_inside && is_in_private(s, node, v->name->text, at)) continue;
        is_others = is_others && !is_inside;
        if (takes_address(s, at)) outside = inside = false, v->is_pointed_at = true;
        if (is_inside)
            inside = inside && is_covered(s, node, NULL, v->name->text, at);
        else
            outside = outside && is_covered(s, r->function->body, node, v->name->text, at);
    }
    v->is_dead = is_others || (outside && (inside || !comes_round(r, v->name)));
    v->is_scratch = (is_others || (inside && outside)) && (v->form == CC_VALUE || v->form == CC_REACH);
}

// The name before the colon of a clause `reduction(name : x)`: those of `declare reduction` are no variables.
static bool is_reduction_name(const struct cc_source *s, uint32_t at) {
    return at >= 2 && cc_kind(s, at - 1) == FRONT_P_LPAREN && cc_kind(s, at + 1) == FRONT_P_COLON &&
           strcmp(s->tokens[at - 2].text, "reduction") == 0;
}

bool cc_names_lock(const struct cc_source *s, uint32_t at) {
    return at >= 2 && cc_kind(s, at - 1) == FRONT_P_LPAREN && strcmp(s->tokens[at - 2].text, "critical") == 0;
}

static bool declares_reduction(const struct cc_source *s, uint32_t at, const char *name) {
    return cc_kind(s, at) == FRONT_TOK_PRAGMA && strcmp(s->tokens[at + 1].text, "declare") == 0 &&
           strcmp(s->tokens[at + 2].text, "reduction") == 0 && strcmp(s->tokens[at + 4].text, name) == 0;
}

// The last `declare reduction` of this name in the function, before the region and in a block around it; NULL: at file
// scope.
static const struct cc_node *declared_inside(const struct cc_region *r, const char *name) {
    const struct cc_node *found = NULL;
    for (uint32_t at = r->function->from; at + 4 < r->node->from; at++) {
        const struct cc_node *n =
            declares_reduction(r->source, at, name) ? cc_statement_at(r->function->body, at) : NULL;
        if (n && n->parent && n->parent->from <= r->node->from && n->parent->to >= r->node->to) found = n;
    }
    return found;
}

// The program has it, too, and what it names: functions, types, and no variables.
static bool repeat_reduction(struct cc_region *r, const struct cc_node *n) {
    const struct cc_source *s = r->source;
    uint32_t end = n->from;
    for (; cc_kind(s, end) != FRONT_TOK_PRAGMA_END; end++) {
        const char *word = s->tokens[end].text;
        if (end < n->from + 5 || cc_kind(s, end) != FRONT_TOK_IDENT || is_member(s, end) || is_tag(s, end)) continue;
        if (strncmp(word, "omp_", 4) == 0 || strcmp(word, "initializer") == 0) continue;
        if (cc_names_local_tag(s, end))
            return cc_refuse(r, s->tokens[end].line, "struct %s is declared inside of a function", word);
        const struct cc_name *name = cc_find(s, word, end);
        bool is_its = name && !name->is_file && name->kind != CC_ROUTINE && name->kind != CC_VARIABLE;
        if (is_its && !repeat_declaration(r, name)) return false;
    }
    for (uint32_t i = 0; i < r->repeated_count; i++)
        if (r->repeated[i].from == n->from) return true;
    BASE_RESERVE(s->cx, r->repeated, r->repeated_count, r->repeated_cap);
    r->repeated[r->repeated_count++] = (struct cc_derivation){.from = n->from, .to = end};
    return true;
}

// Those of its block, which may be of several types.
static bool repeat_reductions(struct cc_region *r, const char *name) {
    const struct cc_node *last = declared_inside(r, name);
    if (!last) return true;
    for (const struct cc_node *n = last->parent->child; n && n->from <= last->from; n = n->next)
        if (declares_reduction(r->source, n->from, name) && !repeat_reduction(r, n)) return false;
    return true;
}

// What a name of the region's text means to it; false: it has a reason now.
static bool take_name(struct cc_region *r, uint32_t at, bool in_pragma) {
    const struct cc_source *s = r->source;
    const struct cc_token *token = &s->tokens[at];
    if (cc_names_local_tag(s, at))
        return cc_refuse(r, token->line, "struct %s is declared inside of a function", token->text);
    if (in_pragma && strcmp(token->text, "conditional") == 0 && cc_kind(s, at + 1) == FRONT_P_COLON) return true;
    bool is_reduction = in_pragma && is_reduction_name(s, at);
    if (is_reduction) return repeat_reductions(r, token->text);
    if (is_member(s, at) || is_tag(s, at) || cc_names_lock(s, at)) return true;
    struct cc_name *name = cc_find(s, token->text, at);
    if (!name || name->from >= r->node->from) return true;
    if (name->kind != CC_VARIABLE) return name->is_file || name->kind == CC_ROUTINE || repeat_declaration(r, name);
    if (name->is_thread && name->is_file) return cc_take_room(r, name);
    if (!is_constant_table(name) && !cc_is_function_table(s, name)) add_variable(r, name);
    return !r->reason;
}

// Behind tokens that the region's program does not have, or has as one variable.
static uint32_t behind_part(struct cc_region *r, uint32_t at) {
    const struct cc_derivation *aside = cc_aside_at(r, at);
    if (aside) return aside->to;
    const struct cc_exit *leaves = cc_exit_at(r->source, at);
    if (leaves) return leaves->to;
    const struct cc_derivation *off = cc_switch_at(r, at);
    if (off) return off->to;
    const struct cc_member_use *member = cc_member_at(r, at);
    for (uint32_t i = 0; i < r->member_count; i++)
        if (r->members[i].from == at && r->members[i].name) add_variable(r, r->members[i].name);
    return member ? member->to : at;
}

void cc_find_variables(struct cc_region *r) {
    const struct cc_source *s = r->source;
    uint32_t pragma_depth = 0;
    bool in_pragma = false;
    struct cc_derivation condition;
    const struct cc_derivation *own = cc_if_clause(r, &condition);
    r->var_count = 0;
    cc_find_asides(r);
    cc_find_prints(r);
    cc_find_members(r);
    cc_find_settings(r);
    cc_find_team(r);
    cc_find_appends(r);
    cc_count_pointer_loops(r);
    cc_find_large(r);
    cc_take_imports(r);
    for (uint32_t at = r->node->from; at < r->node->to; at++) {
        const struct cc_token *token = &s->tokens[at];
        if (token->kind == FRONT_TOK_PRAGMA) in_pragma = true;
        if (token->kind == FRONT_TOK_PRAGMA_END) in_pragma = false, pragma_depth = 0;
        if (in_pragma && token->kind == FRONT_P_LPAREN) pragma_depth++;
        if (in_pragma && token->kind == FRONT_P_RPAREN) pragma_depth--;
        uint32_t behind = behind_part(r, at);
        if (in_pragma && strcmp(token->text, "num_threads") == 0 && cc_kind(s, at + 1) == FRONT_P_LPAREN)
            behind = cc_skip_group(s, at + 1); // it goes (region_program.c)
        if (own && at == own->from) behind = own->to;
        for (uint32_t i = 0; i < r->passes_count; i++)
            if (at == r->passes[i].end.from) behind = r->passes[i].end.to;
        if (r->reason) return;
        if (cc_is_stdout(r, at)) continue;
        if (behind > at) {
            at = behind - 1;
            in_pragma = in_pragma && token->kind != FRONT_TOK_PRAGMA; // an aside's
            continue;
        }
        bool is_name = token->kind == FRONT_TOK_IDENT && !(in_pragma && !pragma_depth);
        bool is_operator = in_pragma && token->kind != FRONT_TOK_IDENT && is_reduction_name(s, at); // reduction(+ : x)
        if (is_operator ? !repeat_reductions(r, token->text) : is_name && !take_name(r, at, in_pragma)) return;
    }
    find_in_functions(r);
    for (uint32_t i = 0; i < r->var_count; i++) {
        find_life(r, &r->vars[i]);
        find_owners(r, &r->vars[i]);
    }
    cc_find_exchanged(r);
    cc_check_counters(r);
}
