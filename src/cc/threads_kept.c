// Variables of which each thread has its own (threadprivate, _Thread_local) and which keep what is in them: set in one
// region and read in the next, or filled for each thread once. What the CPU's threads have goes along, an element of an
// array for each, and comes back:
//
//     static double own[9];                    |  void ccv_region(int ccv_team, double ccv_own[][9], ...) {
//     #pragma omp threadprivate(own)           |  #pragma omp parallel num_threads(ccv_team)
//     ...                                      |      own = ccv_own[omp_get_thread_num()];
//     #pragma omp parallel                     |  #pragma omp parallel num_threads(ccv_team)
//         own[k] += x[k];                      |          own[k] += x[k];
//                                              |  #pragma omp parallel num_threads(ccv_team)
//                                              |      ccv_own[omp_get_thread_num()] = own; }
//
// So the region has as many threads as on the CPU (team.c), and each of them the iterations that it has there.
#include <string.h>

#include "cc/team.h"

// A variable of each thread at file scope; NULL: the token names none.
static struct cc_name *thread_name(const struct cc_source *s, uint32_t at) {
    if (cc_kind(s, at) != FRONT_TOK_IDENT) return NULL;
    if (cc_kind(s, at - 1) == FRONT_P_DOT || cc_kind(s, at - 1) == FRONT_P_ARROW) return NULL;
    struct cc_name *name = cc_find(s, s->tokens[at].text, at);
    return name && name->kind == CC_VARIABLE && name->is_file && name->is_thread ? name : NULL;
}

// It is set here, or elements of it, or a function gets the whole array.
static bool may_change(const struct cc_source *s, uint32_t at, const struct cc_name *name) {
    uint32_t end = at + 1, depth = 0;
    for (enum front_token_kind kind; kind = cc_kind(s, end), kind == FRONT_P_LBRACKET || kind == FRONT_P_DOT;) {
        depth += kind == FRONT_P_LBRACKET;
        end = kind == FRONT_P_DOT ? end + 2 : cc_skip_group(s, end);
    }
    return depth < name->derive_count || cc_is_changed_at(s, at, end);
}

enum wanted { KEPT, CHANGED }; // keeps what is in it; ... and is changed
// The first such one, or that of this text.
static const struct cc_name *find_name(struct cc_source *s, uint32_t from, uint32_t to, enum wanted wanted,
                                       const char *text, bool *seen) {
    for (uint32_t at = from; at < to; at++) {
        struct cc_name *name = thread_name(s, at);
        if (name && (text ? name->text == text : !cc_is_room(s, name)) && (wanted == KEPT || may_change(s, at, name)))
            return name;
        const struct cc_function *f = cc_called(s, at);
        if (!f || !f->body || seen[f - s->functions]) continue;
        seen[f - s->functions] = true;
        const struct cc_name *inner = find_name(s, f->from, f->to, wanted, text, seen);
        if (inner) return inner;
    }
    return NULL;
}

static const struct cc_name *find(struct cc_source *s, const struct cc_node *n, enum wanted wanted) {
    bool any = false;
    for (uint32_t i = 0; i < s->declared_count && !any; i++)
        any = s->declared[i]->is_thread && s->declared[i]->is_file;
    bool *seen = any ? base_alloc_array(s->cx, s->function_count + 1, sizeof *seen) : NULL;
    return any ? find_name(s, n->from, n->to, wanted, NULL, seen) : NULL;
}
const struct cc_name *cc_find_kept(struct cc_source *s, const struct cc_node *n) { return find(s, n, KEPT); }
bool cc_changes_kept(struct cc_source *s, const struct cc_node *n) { return find(s, n, CHANGED) != NULL; }

bool cc_names_thread(struct cc_source *s, const struct cc_node *n, const char *text) {
    bool *seen = base_alloc_array(s->cx, s->function_count + 1, sizeof *seen);
    return find_name(s, n->from, n->to, KEPT, text, seen) != NULL;
}

static bool has_kept(const struct cc_region *r) {
    for (uint32_t i = 0; i < r->var_count; i++)
        if (r->vars[i].form == CC_THREADS) return true;
    return false;
}

bool cc_take_kept(struct cc_region *r, struct cc_name *name) {
    struct cc_source *s = r->source;
    uint32_t line = s->tokens[name->at].line;
    struct cc_name shared = *name;
    shared.is_thread = false;
    for (uint32_t i = 0; i < r->var_count; i++)
        if (r->vars[i].form == CC_THREADS && r->vars[i].name->text == name->text) return true;
    if (!r->by_threads)
        return cc_refuse(r, line,
                         "'%s' is a variable of each thread, which may have to keep what is in it: set all of it in "
                         "each region, or make it one of the region",
                         name->text);
    bool is_plain = !cc_holds_pointers(s, &shared);
    for (uint32_t d = 0; d < name->derive_count; d++)
        is_plain = is_plain && name->derive[d].kind == CC_ARRAY && cc_is_constant(s, &name->derive[d]);
    if (!is_plain)
        return cc_refuse(r, line,
                         "'%s' is a variable of each thread, which keeps what is in it, and more than numbers, structs "
                         "of numbers, or an array of them of a constant size",
                         name->text);
    if (!cc_check_shape(r, &shared)) return false;
    BASE_RESERVE(s->cx, r->vars, r->var_count, r->var_cap);
    r->vars[r->var_count++] = (struct cc_variable){.name = name, .form = CC_THREADS, .through = true};
    return true;
}

// ---- the program ----------------------------------------------------------------------------------------------------

static void put_place(struct base_text *out, const struct cc_name *name, const char *text) {
    base_text_put(out, text);
    for (uint32_t d = 0; d < name->derive_count; d++)
        base_text_format(out, "[" CC_PREFIX "%u]", d);
}

void cc_put_kept(struct base_text *out, const struct cc_region *r, bool is_end) {
    const struct cc_source *s = r->source;
    if (!has_kept(r)) return;
    base_text_put(out, "\n#pragma omp parallel num_threads(" CC_TEAM ")\n{ int " CC_THREAD " = omp_get_thread_num(); ");
    for (uint32_t i = 0; i < r->var_count; i++) {
        const struct cc_name *name = r->vars[i].name;
        const char *element = base_format(s->cx, CC_PREFIX "%s[" CC_THREAD "]", name->text);
        if (r->vars[i].form != CC_THREADS || (is_end && !cc_kept_comes_back(&r->vars[i]))) continue;
        for (uint32_t d = 0; d < name->derive_count; d++)
            base_text_format(out, "for (int " CC_PREFIX "%u = 0; " CC_PREFIX "%u < (%s); " CC_PREFIX "%u++) ", d, d,
                             cc_joined_tokens(s, name->derive[d].from, name->derive[d].to), d);
        put_place(out, name, is_end ? element : name->text);
        base_text_put(out, " = ");
        put_place(out, name, is_end ? name->text : element);
        base_text_put(out, "; ");
    }
    base_text_put(out, "}\n");
}

// ---- the call -------------------------------------------------------------------------------------------------------

void cc_put_kept_names(struct base_text *out, const struct cc_region *r) {
    if (!has_kept(r)) return;
    base_text_put(out, "extern int omp_get_thread_num(void), omp_get_num_threads(void);\n"
                       "int whorl_team = 0, whorl_is_other = 0;\n");
    for (uint32_t i = 0; i < r->var_count; i++)
        if (r->vars[i].form == CC_THREADS)
            base_text_format(out, "__extension__ __typeof__(%s) *whorl_of_%s = 0;\n", r->vars[i].name->text,
                             r->vars[i].name->text);
}

// Between the threads' variables and the copies of them. A team of another size has another thread's work.
void cc_put_kept_copies(struct base_text *out, const struct cc_region *r, bool comes_back) {
    if (!has_kept(r)) return;
    base_text_put(out, "\n#pragma omp parallel num_threads(whorl_team)\n{\nint whorl_thread = omp_get_thread_num();\n"
                       "if (omp_get_num_threads() != whorl_team) {\n#pragma omp atomic write\nwhorl_is_other = 1;\n"
                       "} else {\n");
    for (uint32_t i = 0; i < r->var_count; i++) {
        const char *name = r->vars[i].name->text;
        if (r->vars[i].form != CC_THREADS || (comes_back && !cc_kept_comes_back(&r->vars[i]))) continue;
        const char *own = base_format(r->source->cx, "&%s", name),
                   *copy = base_format(r->source->cx, "&whorl_of_%s[whorl_thread]", name);
        base_text_format(out, "__builtin_memcpy((void *)%s, (void *)%s, sizeof %s);\n", comes_back ? own : copy,
                         comes_back ? copy : own, name);
    }
    base_text_put(out, "}\n}\n");
}

void cc_put_kept_before(struct base_text *out, const struct cc_region *r) {
    if (!has_kept(r)) return;
    base_text_format(out, "whorl_team = %s;\nwhorl_is_other = whorl_team < 1 || !whorl_cc_wants();\n", r->team);
    for (uint32_t i = 0; i < r->var_count; i++)
        if (r->vars[i].form == CC_THREADS)
            base_text_format(out,
                             "if (!whorl_is_other) whorl_of_%s = __builtin_malloc((unsigned long)whorl_team * sizeof "
                             "%s);\nwhorl_is_other |= !whorl_of_%s;\n",
                             r->vars[i].name->text, r->vars[i].name->text, r->vars[i].name->text);
    base_text_put(out, "if (!whorl_is_other) {\n");
    cc_put_kept_copies(out, r, false);
    base_text_put(out, "}\n");
}

void cc_put_kept_after(struct base_text *out, const struct cc_region *r) {
    for (uint32_t i = 0; i < r->var_count; i++)
        if (r->vars[i].form == CC_THREADS)
            base_text_format(out, "__builtin_free(whorl_of_%s);\n", r->vars[i].name->text);
}

const char *cc_kept_bar(const struct cc_region *r) {
    return has_kept(r) ? "whorl_is_other ? \"its team has another size here, and variables of each thread keep what is "
                         "in them\" : "
                       : "";
}
