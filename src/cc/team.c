// Regions that ask for the thread's number, as sums and histograms of each thread do:
//
//     #pragma omp parallel                       |  #pragma omp parallel num_threads(ccv_team)
//     {                                          |  {
//         int id = omp_get_thread_num();         |      int id;
//     #pragma omp for                            |  #pragma omp for
//         for (int i = 0; i < n; i++)            |      for (int i = 0; i < n; i++) {
//                                                |          int ccv_thread = ccv_thread_of(i - 0, n - 0, ccv_team);
//                                                |  #pragma omp atomic
//             part[id] += x[i];                  |          part[ccv_thread] += x[i];
//     }                                          |      } }
//
// How many threads the CPU would have is a parameter of the program. A static schedule says which thread an iteration
// belongs to, so iterations need no threads: an update of a thread's own elements is one that several of them make, an
// atomic one. What stands outside of worksharing loops the front-end's team runs (lower_team.c). A loop that threads
// share out by their numbers would be as many long iterations as the CPU has threads: it stays there.
#include <string.h>

#include "cc/team.h"

bool cc_team_fail(struct cc_team *t, uint32_t at, const char *text) {
    if (!t->region->team_reason) {
        t->region->team_reason = text;
        t->region->team_line = t->source->tokens[at].line;
    }
    return false;
}

// ---- tokens ---------------------------------------------------------------------------------------------------------

static bool calls(const struct cc_source *s, uint32_t at, const char *name) {
    return cc_kind(s, at) == FRONT_TOK_IDENT && strcmp(s->tokens[at].text, name) == 0 &&
           cc_kind(s, at + 1) == FRONT_P_LPAREN;
}
bool cc_asks_number(const struct cc_source *s, uint32_t at) { return calls(s, at, "omp_get_thread_num"); }
static bool asks_count(const struct cc_source *s, uint32_t at) { return calls(s, at, "omp_get_num_threads"); }

// What a name says at a token, a declarator's own too; NULL: a member, or nothing known.
static const struct cc_name *name_at(const struct cc_source *s, uint32_t at) {
    if (cc_kind(s, at) != FRONT_TOK_IDENT) return NULL;
    if (cc_kind(s, at - 1) == FRONT_P_DOT || cc_kind(s, at - 1) == FRONT_P_ARROW) return NULL;
    for (uint32_t i = s->declared_count; i-- > 0;)
        if (s->declared[i]->at == at) return s->declared[i];
    return cc_find(s, s->tokens[at].text, at);
}

// Up to the `;` or `,` or closing bracket that ends an expression.
static uint32_t behind_expression(const struct cc_source *s, uint32_t at) {
    for (;; at++) {
        enum front_token_kind kind = cc_kind(s, at);
        if (kind == FRONT_P_LPAREN || kind == FRONT_P_LBRACKET || kind == FRONT_P_LBRACE)
            at = cc_skip_group(s, at) - 1;
        else if (kind == FRONT_P_SEMI || kind == FRONT_P_COMMA || kind == FRONT_P_RPAREN || kind == FRONT_P_RBRACE ||
                 kind == FRONT_P_RBRACKET || kind == FRONT_TOK_END)
            return at;
    }
}

uint32_t cc_team_skip(const struct cc_team *t, uint32_t at) {
    const struct cc_source *s = t->source;
    const struct cc_derivation *aside = cc_aside_at(t->region, at);
    if (aside) return aside->to;
    if (cc_kind(s, at) != FRONT_TOK_PRAGMA) return at;
    while (cc_kind(s, at) != FRONT_TOK_PRAGMA_END)
        at++;
    return at + 1;
}

const struct cc_team_name *cc_team_name_at(const struct cc_team *t, uint32_t at) {
    const struct cc_name *name = name_at(t->source, at);
    for (uint32_t i = 0; name && i < t->name_count; i++)
        if (t->names[i].name == name) return &t->names[i];
    return NULL;
}

bool cc_team_differs(const struct cc_team *t, uint32_t from, uint32_t to) {
    for (uint32_t at = from; at < to; at++) {
        const struct cc_team_name *n = cc_team_name_at(t, at);
        if (cc_asks_number(t->source, at) || (n && n->differs)) return true;
    }
    return false;
}

// ---- names that stand for a thread's number, or follow from it ------------------------------------------------------

static void add_name(struct cc_team *t, struct cc_team_name n) {
    BASE_RESERVE(t->source->cx, t->names, t->name_count, t->name_cap);
    t->names[t->name_count++] = n;
}

// `int id = 0;` and then `id = E;`, as programs have it that are built without OpenMP, too.
static bool has_idle_value(const struct cc_team *t, const struct cc_name *name) {
    const struct cc_source *s = t->source;
    const struct cc_node *n = name->has_init ? cc_statement_at(t->region->node, name->at) : NULL;
    if (!n || n->kind != CC_DECLARATION || cc_kind(s, name->end + 1) != FRONT_TOK_INT) return false;
    enum front_token_kind behind = cc_kind(s, name->end + 2);
    if (behind != FRONT_P_SEMI && behind != FRONT_P_COMMA) return false;
    for (uint32_t at = name->end + 2; n && !n->is_entered; n = n->next, at = n ? n->from : 0) {
        bool sets = n->kind == CC_SIMPLE && name_at(s, n->from) == name && cc_kind(s, n->from + 1) == FRONT_P_ASSIGN;
        for (at += sets; at < n->to; at++)
            if (name_at(s, at) == name) return false;
        if (sets) return true;
    }
    return false;
}

static uint32_t times_set(const struct cc_team *t, const struct cc_name *name) {
    const struct cc_source *s = t->source;
    uint32_t count = 0;
    for (uint32_t at = t->region->node->from; at < t->region->node->to; at++)
        // &name[i] is where an element stands
        if (s->tokens[at].text == name->text && name_at(s, at) == name && cc_kind(s, at + 1) != FRONT_P_LBRACKET)
            count += cc_is_changed_at(s, at, at + 1);
    return count - (count > 1 && has_idle_value(t, name));
}

// One of each thread, by its declaration in the region or by the directive's `private`.
static bool is_of_thread(const struct cc_team *t, const struct cc_name *name) {
    const struct cc_node *n = t->region->node;
    return (name->from >= n->from && name->from < n->to) || cc_is_in_clause(t->source, n, "private", name->text);
}

// Behind `s.x[k].y`, of which this is the `s`. *out_indexed: it has an index.
static uint32_t behind_part(const struct cc_source *s, uint32_t at, bool *out_indexed) {
    uint32_t end = at + 1;
    *out_indexed = false;
    for (;;) {
        enum front_token_kind kind = cc_kind(s, end);
        if (kind != FRONT_P_LBRACKET && kind != FRONT_P_DOT && kind != FRONT_P_ARROW) return end;
        *out_indexed |= kind == FRONT_P_LBRACKET;
        end = kind == FRONT_P_LBRACKET ? cc_skip_group(s, end) : end + 2;
    }
}

// A member of what the name is, or leads to, is set in the region, or may be where that goes elsewhere.
static bool may_set_part(const struct cc_team *t, const struct cc_name *name) {
    const struct cc_source *s = t->source;
    for (uint32_t at = t->region->node->from; at < t->region->node->to; at++) {
        if (s->tokens[at].text != name->text || name_at(s, at) != name) continue;
        bool indexed;
        uint32_t end = behind_part(s, at, &indexed);
        if (cc_is_changed_at(s, at, end) || (end == at + 1 && name->derive_count)) return true;
    }
    return false;
}

// What is at file scope, functions that the region calls may set.
static bool is_set_in_calls(const struct cc_team *t, const struct cc_name *name) {
    const struct cc_source *s = t->source;
    const bool *reached = cc_reached(t->region);
    for (uint32_t i = 0; i < s->function_count && name->is_file; i++)
        for (uint32_t at = s->functions[i].from; reached[i] && at < s->functions[i].to; at++) {
            const struct cc_name *other = s->tokens[at].text == name->text ? name_at(s, at) : NULL;
            bool indexed;
            if (!other || !other->is_file || cc_kind(s, at + 1) == FRONT_P_LBRACKET) continue;
            if (cc_is_changed_at(s, at, behind_part(s, at, &indexed))) return true;
        }
    return false;
}

// Nothing but numbers, names that keep their values while the region runs, and what threads are called.
static bool is_fixed(const struct cc_team *t, uint32_t from, uint32_t to, bool is_address) {
    const struct cc_source *s = t->source;
    uint32_t arrays = 0;
    for (uint32_t at = from; at < to; at++) {
        const struct cc_member_use *member = cc_member_at(t->region, at);
        if (member && member->name && member->name->is_set) return false;
        if (member && member->name && member->text && !member->handed && !member->name->each) {
            arrays += member->name->derive_count > 0; // `s->part`, or the number `s->n`: a variable of the program
            if (arrays > is_address) return false;
            at = member->to - 1;
            continue;
        }
        enum front_token_kind kind = cc_kind(s, at);
        bool asks = cc_asks_number(s, at) || asks_count(s, at);
        if (cc_is_step(kind) || cc_is_assignment(kind) || kind == FRONT_P_LBRACE) return false;
        if (!is_address && (kind == FRONT_P_LBRACKET || kind == FRONT_P_DOT || kind == FRONT_P_ARROW)) return false;
        bool is_unary = at == from || (cc_kind(s, at - 1) != FRONT_P_RPAREN && cc_kind(s, at - 1) != FRONT_P_RBRACKET &&
                                       cc_kind(s, at - 1) != FRONT_TOK_IDENT && cc_kind(s, at - 1) != FRONT_TOK_INT);
        if (kind == FRONT_P_STAR && is_unary && !is_address) return false;
        const struct cc_name *name = name_at(s, at);
        if (asks || !name || name->kind != CC_VARIABLE) {
            if (!asks && kind == FRONT_TOK_IDENT && cc_kind(s, at + 1) == FRONT_P_LPAREN) return false;
            continue;
        }
        bool has_part = cc_kind(s, at + 1) == FRONT_P_DOT || cc_kind(s, at + 1) == FRONT_P_ARROW, indexed = false;
        if (has_part) (void)behind_part(s, at, &indexed);
        bool is_looked_up = indexed && cc_kind(s, at - 1) != FRONT_P_AMP; // who else leads to the array nobody knows
        if (has_part && (is_looked_up || may_set_part(t, name))) return false;
        arrays += name->derive_count > 0;
        if (arrays > is_address) return false; // an index that is looked up
        if (!cc_team_name_at(t, at) && (times_set(t, name) || is_set_in_calls(t, name))) return false;
        if (cc_team_name_at(t, at) && !cc_team_name_at(t, at)->to) return false;
    }
    return true;
}

// `v = E` of a variable that nothing else sets: E may stand for it.
static bool take_setting(struct cc_team *t, const struct cc_name *name, uint32_t at, uint32_t end) {
    const struct cc_source *s = t->source;
    bool is_pointer = name->derive_count && name->derive[0].kind == CC_POINTER;
    bool differs = cc_team_differs(t, at, end);
    if (name->from >= t->region->node->to || name->is_static || (name->derive_count && !is_pointer)) return false;
    if ((!differs && !asks_count(s, at)) || !is_of_thread(t, name) || times_set(t, name) != 1) return false;
    if (cc_team_loop_at(t, at) || !is_fixed(t, at, end, is_pointer)) return false;
    bool is_declared = cc_kind(s, name->end) == FRONT_P_ASSIGN && name->end + 1 == at;
    add_name(t, (struct cc_team_name){name, is_declared ? name->end : at - 2, at, end, differs, is_pointer});
    return true;
}

// The name before an `=` or `+=`, and the tokens behind that; false: none.
static bool is_set_to(const struct cc_team *t, uint32_t at, const struct cc_name **out_name, uint32_t *out_from) {
    const struct cc_source *s = t->source;
    const struct cc_name *name = cc_kind(s, at) == FRONT_TOK_IDENT ? name_at(s, at) : NULL;
    if (!name || name->kind != CC_VARIABLE || cc_team_name_at(t, at)) return false;
    bool is_declared = name->at == at && cc_kind(s, name->end) == FRONT_P_ASSIGN; // int own[2] = {id}
    *out_name = name;
    *out_from = is_declared ? name->end + 1 : at + 2;
    return is_declared || cc_is_assignment(cc_kind(s, at + 1));
}

// Variables that expressions may stand for; `all`: those, too, that follow from a thread's number in any other way.
static void find_names(struct cc_team *t, bool all) {
    const struct cc_source *s = t->source;
    const struct cc_node *n = t->region->node;
    for (uint32_t before = UINT32_MAX; before != t->name_count;) {
        before = t->name_count;
        for (uint32_t at = n->from; at + 1 < n->to; at++) {
            const struct cc_name *name;
            uint32_t from;
            at = cc_team_skip(t, at);
            if (cc_team_has_moved(t, at) || !is_set_to(t, at, &name, &from)) continue;
            uint32_t end = behind_expression(s, from);
            bool is_plain = cc_kind(s, from - 1) == FRONT_P_ASSIGN;
            if (!all && is_plain)
                take_setting(t, name, from, end);
            else if (all && cc_team_differs(t, from, end))
                add_name(t, (struct cc_team_name){.name = name, .differs = true});
        }
    }
}

static void find_turns(struct cc_team *t, const struct cc_node *n) {
    if (cc_team_loop_at(t, n->from) || cc_aside_at(t->region, n->from)) return;
    uint32_t end = n->child ? n->child->from : n->to;
    if (n->kind == CC_FOR && cc_team_differs(t, n->from, end) && cc_edit_turns(t, n)) return;
    for (n = n->child; n; n = n->next)
        find_turns(t, n);
}

// ---- the region's text ----------------------------------------------------------------------------------------------

void cc_team_edit(struct cc_team *t, uint32_t at, uint32_t size, const char *text) {
    struct cc_region *r = t->region;
    BASE_RESERVE(t->source->cx, r->edits, r->edit_count, r->edit_cap);
    r->edits[r->edit_count++] = (struct cc_team_edit){at, size, text};
}

static void put_token(const struct cc_team *t, struct base_text *out, uint32_t *io_at, bool in_loop);

void cc_team_put(const struct cc_team *t, struct base_text *out, uint32_t from, uint32_t to, bool in_loop) {
    for (uint32_t at = from; at < to; at++) {
        put_token(t, out, &at, in_loop);
        base_text_put(out, " ");
    }
}

// One token as it stands in the program; of a call all of it.
static void put_token(const struct cc_team *t, struct base_text *out, uint32_t *io_at, bool in_loop) {
    const struct cc_source *s = t->source;
    const struct cc_member_use *member = cc_member_at(t->region, *io_at);
    const struct cc_team_name *n = cc_team_name_at(t, *io_at);
    if (cc_asks_number(s, *io_at) || asks_count(s, *io_at)) {
        bool is_count = asks_count(s, *io_at);
        base_text_put(out, is_count ? CC_TEAM : in_loop ? CC_THREAD : "omp_get_thread_num()");
        *io_at = cc_skip_group(s, *io_at + 1) - 1;
    } else if (member && member->text) {
        base_text_put(out, member->text);
        *io_at = member->to - 1;
    } else if (n && n->to) {
        base_text_put(out, "(");
        if (!n->is_pointer) {
            base_text_put(out, "(");
            cc_put_type(out, s, n->name, false);
            base_text_put(out, ")(");
        }
        cc_team_put(t, out, n->from, n->to, in_loop);
        base_text_put(out, n->is_pointer ? ")" : "))");
    } else {
        base_text_put(out, s->tokens[*io_at].text);
    }
}

// The names of an expression mean the same at another place.
static bool means_same(const struct cc_team *t, const struct cc_team_name *n, uint32_t place) {
    const struct cc_source *s = t->source;
    for (uint32_t at = n->from; at < n->to; at++) {
        const struct cc_team_name *inner = cc_team_name_at(t, at);
        const struct cc_name *name = name_at(s, at);
        if (inner && inner->to ? !means_same(t, inner, place) : name && cc_find(s, name->text, place) != name)
            return false;
    }
    return true;
}

static const struct cc_team_name *set_at(const struct cc_team *t, uint32_t at) {
    for (uint32_t i = 0; i < t->name_count; i++)
        if (t->names[i].to && t->names[i].at == at) return &t->names[i];
    return NULL;
}

static bool edit_names(struct cc_team *t) {
    const struct cc_source *s = t->source;
    for (uint32_t at = t->region->node->from; at < t->region->node->to; at++) {
        uint32_t behind = cc_team_skip(t, at);
        const struct cc_team_name *set = set_at(t, at), *n = cc_team_name_at(t, at);
        uint32_t first = s->tokens[at].at;
        bool is_use = n && n->to && n->name->at != at;
        if (is_use && !set && !means_same(t, n, at))
            return cc_team_fail(t, at, "a name in what follows from the thread's number means something else here");
        if (behind > at) {
            at = behind - 1;
        } else if (cc_team_has_moved(t, at)) {
            continue;
        } else if (set) { // what it is stands where it is used
            const struct cc_token *last = &s->tokens[set->to - 1];
            cc_team_edit(t, first, last->at + last->size - first, " ");
            at = set->to - 1;
        } else if (is_use || cc_asks_number(s, at) || asks_count(s, at)) {
            struct base_text text;
            base_text_init(&text, s->cx);
            put_token(t, &text, &at, cc_team_loop_at(t, at) != NULL);
            cc_team_edit(t, first, s->tokens[at].at + s->tokens[at].size - first, text.data);
        }
    }
    return true;
}

// ---- all ------------------------------------------------------------------------------------------------------------

// Functions that the region calls know no number of a thread's.
static bool asks_in_calls(const struct cc_source *s, uint32_t from, uint32_t to, uint32_t depth) {
    for (uint32_t at = from; at < to; at++) {
        const struct cc_function *f = cc_called(s, at);
        if (depth && cc_kind(s, at) == FRONT_TOK_IDENT && strncmp(s->tokens[at].text, "omp_", 4) == 0) return true;
        if (f && (depth > 20 || asks_in_calls(s, f->from, f->to, depth + 1))) return true;
    }
    return false;
}

static bool names_in_pragmas(const struct cc_team *t) {
    const struct cc_source *s = t->source;
    bool in_pragma = false;
    for (uint32_t at = t->region->node->child->from; at < t->region->node->to; at++) {
        if (cc_kind(s, at) == FRONT_TOK_PRAGMA) in_pragma = true;
        if (cc_kind(s, at) == FRONT_TOK_PRAGMA_END) in_pragma = false;
        for (uint32_t i = 0; i < t->name_count && in_pragma; i++)
            if (t->names[i].to && t->names[i].name->text == s->tokens[at].text) return true;
    }
    return false;
}

// How many threads the CPU's region would have, as C text at the call; NULL: it cannot be asked.
static const char *threads(struct cc_team *t) {
    struct cc_derivation clause;
    bool library;
    if (!cc_find_clause(t->source, t->region->node->from, "num_threads", &clause)) return "omp_get_max_threads()";
    if (!cc_can_be_asked(t->source, &clause, &library)) return NULL;
    return cc_clause_text(t->region, &clause, false);
}

// False: there is nothing of the kind in it, or a reason why not.
static bool find_team(struct cc_team *t) {
    const struct cc_node *n = t->region->node;
    const struct cc_token *word = &t->source->tokens[n->from + 1];
    if (!cc_find_team_loops(t)) return false;
    find_names(t, false);
    find_turns(t, n);
    find_names(t, true);
    if (names_in_pragmas(t)) return cc_team_fail(t, n->from, "a clause names what follows from the thread's number");
    if (!cc_edit_team_loops(t) || !edit_names(t)) return false;
    if (!t->is_combined) cc_team_edit(t, word->at + word->size, 0, " num_threads(" CC_TEAM ") ");
    return true;
}

// ---- as threads -----------------------------------------------------------------------------------------------------

// Names that may not be replaced stay variables, of which each thread has its own.
static void drop_names(struct cc_team *t) {
    const struct cc_source *s = t->source;
    const struct cc_node *n = t->region->node;
    bool in_pragma = false;
    for (uint32_t at = n->from; at < n->to; at++) {
        if (cc_kind(s, at) == FRONT_TOK_PRAGMA) in_pragma = true;
        if (cc_kind(s, at) == FRONT_TOK_PRAGMA_END) in_pragma = false;
        for (uint32_t i = t->name_count; i-- > 0;) {
            const struct cc_team_name *name = &t->names[i];
            bool is_use = in_pragma ? name->name->text == s->tokens[at].text
                                    : cc_team_name_at(t, at) == name && name->name->at != at && name->at != at;
            if (is_use && (in_pragma || !means_same(t, name, at))) t->names[i] = t->names[--t->name_count];
        }
    }
}

// `parallel for` becomes a region with a loop in it, where threads take something from iteration to iteration. False:
// a clause is for neither of the two alone.
static bool part_directive(struct cc_team *t) {
    const struct cc_source *s = t->source;
    const struct cc_token *first = &s->tokens[t->region->node->from];
    static const char *const of_both[] = {"private",   "firstprivate", "default",    "shared",
                                          "proc_bind", "copyin",       "num_threads"};
    struct base_text text;
    base_text_init(&text, s->cx);
    base_text_put(&text, "#pragma omp parallel num_threads(" CC_TEAM ")");
    for (uint32_t at = t->region->node->from + 1; cc_kind(s, at) != FRONT_TOK_PRAGMA_END; at++) {
        const char *word = s->tokens[at].text;
        bool is_clause = cc_kind(s, at + 1) == FRONT_P_LPAREN, is_of_team = false;
        if (strcmp(word, "if") == 0 || strcmp(word, "lastprivate") == 0) return false;
        if (strcmp(word, "parallel") == 0) cc_team_edit(t, s->tokens[at].at, s->tokens[at].size, " ");
        if (!is_clause) continue;
        uint32_t end = cc_skip_group(s, at + 1);
        for (size_t i = 0; i < sizeof of_both / sizeof *of_both; i++)
            is_of_team = is_of_team || strcmp(word, of_both[i]) == 0;
        if (is_of_team && strcmp(word, "num_threads") != 0) { // that one goes (region_program.c)
            const struct cc_token *last = &s->tokens[end - 1];
            base_text_put(&text, " ");
            cc_team_put(t, &text, at, end, false);
            cc_team_edit(t, s->tokens[at].at, last->at + last->size - s->tokens[at].at, " ");
        }
        at = end - 1;
    }
    base_text_format(&text, "\n# %u \"%s\"\n", first->line, s->files[first->file]);
    cc_team_edit(t, first->at, 0, text.data);
    return true;
}

// Of loops of which nobody knows which thread runs an iteration, a thread may have its share of sums, which then is
// another one than on the CPU, and nothing else; of variables that are private to a loop each iteration has its own.
static bool check_shared(struct cc_team *t, const struct cc_node *n) {
    struct cc_source *s = t->source;
    const struct cc_node *region = t->region->node;
    bool is_shared = n->kind == CC_PRAGMA && (cc_has_word(s, n, "for") || cc_has_word(s, n, "sections")) && n->child;
    bool differs = is_shared && cc_team_differs(t, n->child->from, n->to);
    t->region->team_line = s->tokens[n->from].line;
    bool is_dealt = is_shared && cc_is_dealt_out(s, n);
    bool keeps = is_dealt && cc_changes_kept(s, n);
    t->region->is_dealt |= is_dealt && (differs || cc_find_kept(s, n) || cc_takes_on(s, region, n, CC_ANYTHING));
    if (keeps || (is_dealt && cc_takes_on(s, region, n, CC_STATE)))
        t->region->team_reason = cc_open_schedule;
    else if (is_shared && n != region && cc_takes_on(s, n, n, CC_ANYTHING))
        t->region->team_reason = "a variable that is private to this loop goes from iteration to iteration: make it "
                                 "private to the region";
    for (n = n->child; n && !t->region->team_reason; n = n->next)
        check_shared(t, n);
    return !t->region->team_reason;
}

// The front-end's threads run it as it is, each its part of loops: it has as many as the CPU has. This is right
// whatever they do, and as slow as one of them where no pass finds more that can run at once.
static void take_threads(struct cc_region *r, const char *team) {
    struct cc_source *s = r->source;
    const struct cc_node *n = r->node;
    struct cc_team t = {.region = r, .source = s};
    const struct cc_token *word = &s->tokens[n->from + 1];
    r->edit_count = 0;
    if (!team || strcmp(word->text, "parallel") != 0 || cc_has_word(s, n, "sections") || cc_has_word(s, n, "loop"))
        return;
    bool is_combined = cc_has_word(s, n, "for");
    if (is_combined && !part_directive(&t)) return;
    if (!is_combined) cc_team_edit(&t, word->at + word->size, 0, " num_threads(" CC_TEAM ") ");
    find_names(&t, true);
    r->team_reason = NULL;
    if (!check_shared(&t, n)) return;
    t.name_count = 0;
    find_names(&t, false);
    drop_names(&t);
    if (!edit_names(&t)) return;
    r->team = team;
    r->by_threads = true;
}

static bool asks(const struct cc_region *r) {
    struct cc_team t = {.region = (struct cc_region *)r, .source = r->source};
    for (uint32_t at = r->node->from; at < r->node->to; at++) {
        at = cc_team_skip(&t, at);
        if (cc_asks_number(r->source, at) || asks_count(r->source, at)) return true;
    }
    return false;
}

void cc_find_team(struct cc_region *r) {
    struct cc_source *s = r->source;
    s->unsure_count = 0;
    const struct cc_node *n = r->node, *needs = cc_find_threads(s, n);
    struct cc_team t = {.region = r, .source = s};
    r->team = NULL;
    r->by_threads = r->is_dealt = false;
    if (needs && needs != n) {
        cc_refuse(r, s->tokens[needs->from].line, "a region in it depends on how many threads there are");
        return;
    }
    const struct cc_name *kept = cc_find_kept(s, n);
    if (kept && r->is_loop) {
        cc_refuse(r, s->tokens[kept->kept_at ? kept->kept_at : kept->at].line,
                  "'%s' is a variable of each thread, and what one left in it may be used here: the loop's regions "
                  "move one by one",
                  kept->text);
        return;
    }
    if (kept || r->only_threads) needs = n;
    r->unsure = base_alloc_array(s->cx, s->unsure_count + 1, sizeof *r->unsure);
    for (uint32_t i = 0; i < s->unsure_count; i++)
        r->unsure[r->unsure_count++] = s->unsure[i];
    bool in_calls = asks_in_calls(s, n->from, n->to, 0);
    if ((!asks(r) && !in_calls && !needs) || r->is_loop || n->kind != CC_PRAGMA || !n->child) return;
    const char *team = threads(&t);
    if (team && !needs && !in_calls && !r->only_threads && find_team(&t))
        r->team = team;
    else
        take_threads(r, team);
    if (!r->team) r->edit_count = 0;
    if (!r->team && needs)
        cc_refuse(r, r->team_reason ? r->team_line : 0, "%s",
                  r->team_reason ? r->team_reason : "it depends on how many threads there are");
}
