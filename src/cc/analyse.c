// Which statements are regions: every parallel directive, and of the sequential loops and `target data` blocks around
// them the outermost that whorl takes whole, so that a time loop stays one dispatch.
#include "cc/analyse.h"

#include <string.h>

#include "cc/team.h"

struct search {
    struct cc_source *source;
    const struct cc_options *options;
    const struct cc_function *function;
    struct cc_region **regions; // moved
    uint32_t count, cap;
    struct cc_region **kept; // all that were looked at
    uint32_t kept_count, kept_cap;
};

bool cc_has_word(const struct cc_source *s, const struct cc_node *pragma, const char *word) {
    for (uint32_t at = pragma->from + 1, depth = 0; cc_kind(s, at) != FRONT_TOK_PRAGMA_END; at++) {
        if (depth == 0 && strcmp(s->tokens[at].text, word) == 0) return true;
        depth += cc_kind(s, at) == FRONT_P_LPAREN;
        depth -= depth && cc_kind(s, at) == FRONT_P_RPAREN;
    }
    return false;
}

// `target data`: a block of the host's, which may print and allocate around its regions.
static bool is_data(const struct cc_source *s, const struct cc_node *n) {
    return n->kind == CC_PRAGMA && strcmp(s->tokens[n->from + 1].text, "target") == 0 &&
           strcmp(s->tokens[n->from + 2].text, "data") == 0;
}

bool cc_is_parallel(const struct cc_source *s, const struct cc_node *n) {
    return n->kind == CC_PRAGMA && !is_data(s, n) &&
           (cc_has_word(s, n, "parallel") || cc_has_word(s, n, "target") || cc_has_word(s, n, "teams"));
}

bool cc_holds_region(const struct cc_source *s, const struct cc_node *n) {
    if (cc_is_parallel(s, n)) return true;
    for (n = n->child; n; n = n->next)
        if (cc_holds_region(s, n)) return true;
    return false;
}

// A parallel directive stands in it, or in a function that it calls.
static bool holds_parallel(const struct cc_source *s, const struct cc_node *n) {
    if (cc_holds_region(s, n)) return true;
    for (uint32_t at = n->from; at < n->to; at++) {
        const struct cc_function *f = cc_called(s, at);
        if (f && f->has_parallel) return true;
    }
    return false;
}

static void mark_functions(struct cc_source *s) {
    for (uint32_t i = 0; i < s->function_count; i++)
        s->functions[i].has_parallel =
            s->functions[i].body && !cc_is_appended(s, &s->functions[i]) && cc_holds_region(s, s->functions[i].body);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < s->function_count; i++) {
            struct cc_function *f = &s->functions[i];
            if (f->has_parallel || !f->body || cc_is_appended(s, f) || !holds_parallel(s, f->body)) continue;
            f->has_parallel = changed = true;
        }
    }
}

static struct cc_region *new_region(struct search *search, struct cc_node *n, bool is_loop) {
    struct cc_region *r = base_alloc(search->source->cx, sizeof *r);
    r->source = search->source;
    r->function = search->function;
    r->node = n;
    r->is_loop = is_loop;
    r->plan = "";
    return r;
}

static bool judge(struct search *search, struct cc_region *r) {
    if (r->node->leaves)
        cc_refuse(r, 0, "a return, goto or label stands in it");
    else if (cc_check_alone(r) && cc_check_spins(r))
        cc_find_variables(r);
    if (!r->reason) cc_judge(r, search->options);
    for (uint32_t i = 0; i < r->unsure_count && !r->reason && !r->team; i++)
        if (!cc_is_room_proven(r, search->options, r->unsure[i], true))
            cc_refuse(
                r, search->source->tokens[r->unsure[i]->at].line,
                "what a thread's '%s' holds may go from iteration to iteration, and so depend on how many threads "
                "there are",
                r->unsure[i]->text);
    return !r->reason;
}

// Of a region's own warnings each stands in a loop that threads share out: what threads say outside of these tells how
// far the program is.
static bool warns_in_iterations(const struct cc_source *s, const struct cc_node *region) {
    for (uint32_t i = 0; i < s->exit_count; i++) {
        const struct cc_exit *e = &s->exits[i];
        if (!e->is_warning || e->from < region->from || e->from >= region->to) continue;
        const struct cc_node *n = cc_statement_at(region, e->from);
        while (n && n != region && !(n->kind == CC_PRAGMA && cc_has_word(s, n, "for")))
            n = n->parent;
        if (!n || n->kind != CC_PRAGMA || !cc_has_word(s, n, "for")) return false;
    }
    return true;
}

// With lines to stderr as exits; NULL: that does not help.
static struct cc_region *leave_at_warnings(struct search *search, struct cc_node *n) {
    struct cc_source *s = search->source;
    if (!s->has_warnings || !warns_in_iterations(s, n)) return NULL;
    struct cc_region *r = new_region(search, n, false);
    s->leaves_at_warnings = true;
    cc_find_switches(r);
    bool ok = judge(search, r);
    s->leaves_at_warnings = false;
    return ok ? r : NULL;
}

static struct cc_region *consider(struct search *search, struct cc_node *n, bool is_loop) {
    struct cc_region *r = new_region(search, n, is_loop);
    if (judge(search, r)) return r;
    if ((r->team && !r->by_threads) || r->unsure_count) { // what it was taken for is refused: as it is, for threads
        struct cc_region *as_is = new_region(search, n, is_loop);
        as_is->only_threads = true;
        if (judge(search, as_is)) return as_is;
    }
    struct cc_region *without = new_region(search, n, is_loop);
    if (cc_find_switches(without) && judge(search, without)) return without;
    struct cc_region *warning = is_loop ? NULL : leave_at_warnings(search, n);
    return warning ? warning : r;
}

static void keep(struct search *search, struct cc_region *r) {
    struct base_cx *cx = search->source->cx;
    if (!r->reason) {
        BASE_RESERVE(cx, search->regions, search->count, search->cap);
        search->regions[search->count++] = r;
    }
    BASE_RESERVE(cx, search->kept, search->kept_count, search->kept_cap);
    search->kept[search->kept_count++] = r;
}

// Several of its statements hold regions, so that it is worth more than each of them.
static bool joins_regions(const struct cc_source *s, const struct cc_node *n) {
    uint32_t count = 0;
    const struct cc_node *block = n->child;
    for (const struct cc_node *c = block && block->kind == CC_BLOCK ? block->child : NULL; c; c = c->next)
        count += holds_parallel(s, c);
    return count > 1;
}

// `inside`: a loop around it was taken already.
static void find_regions(struct search *search, struct cc_node *n, bool inside) {
    if (cc_is_parallel(search->source, n)) {
        keep(search, consider(search, n, false));
        return;
    }
    bool is_loop = (n->kind == CC_FOR || n->kind == CC_LOOP) && holds_parallel(search->source, n);
    if (!inside && (is_loop || (is_data(search->source, n) && joins_regions(search->source, n)))) {
        struct cc_region *r = consider(search, n, true);
        inside = !r->reason;
        keep(search, r);
    }
    for (struct cc_node *child = n->child; child; child = child->next)
        find_regions(search, child, inside);
}

// ---- room of each thread --------------------------------------------------------------------------------------------

// All regions of a statement, and of what it calls, use it for shares of a sum.
static bool has_shares(struct cc_source *s, const struct cc_node *n, const struct cc_name *name, uint32_t depth) {
    if (cc_is_parallel(s, n)) return !cc_names_thread(s, n, name->text) || cc_is_share(s, n, name);
    for (uint32_t at = n->from; at < n->to; at++) { // outside of the statements in it
        const struct cc_node *c = cc_child_at(n, at);
        if (c) at = c->to - 1;
        if (c) continue;
        const struct cc_function *f = cc_called(s, at);
        bool holds = f && f->body && f->has_parallel;
        if (holds && (depth == 20 || !has_shares(s, f->body, name, depth + 1))) return false;
    }
    for (n = n->child; n; n = n->next)
        if (!has_shares(s, n, name, depth)) return false;
    return true;
}

// The region has its own uses of the room alone, whatever threads it has.
static bool is_apart(struct search *search, struct cc_region *r, const struct cc_name *name) {
    return has_shares(search->source, r->node, name, 0) || cc_is_room_proven(r, search->options, name, false);
}

// Room in all regions that name it, whether they are moved, or stay and may use what others leave. Where only the call
// knows that a region sees nothing of that, there is one: else the program may have to end there (whorl_cc_end).
// *out_at: a region where not.
static bool stays_room(struct search *search, const struct cc_name *name, uint32_t *out_at) {
    struct cc_source *s = search->source;
    uint32_t regions = 0;
    bool asks = false;
    for (uint32_t k = 0; k < 2 * search->kept_count; k++) { // loops behind what is in them, which is the better answer
        struct cc_region *r = search->kept[k % search->kept_count];
        if (r->is_loop != (k >= search->kept_count) || (r->is_loop && r->reason)) continue;
        if (!cc_names_thread(s, r->node, name->text)) continue;
        const char *asked = r->assumed_rooms;
        *out_at = r->node->from;
        if (r->reason || !is_apart(search, r, name)) return false;
        regions += !r->is_loop;
        asks = asks || r->assumed_rooms != asked;
    }
    return regions < 2 || !asks;
}

// Variables that were taken for nothing but room, and keep what is in them as far as anybody knows. False: there are
// none.
static bool note_kept(struct search *search) {
    struct cc_source *s = search->source;
    bool any = false;
    for (uint32_t i = 0; i < s->declared_count; i++) {
        struct cc_name *name = s->declared[i];
        bool is_thread = name->is_thread && name->is_file && name->kind == CC_VARIABLE;
        uint32_t at = 0;
        if (!is_thread || !cc_is_room(s, name) || stays_room(search, name, &at)) continue;
        cc_note_kept(s, name->text, at);
        any = true;
    }
    return any;
}

// ---- the report -----------------------------------------------------------------------------------------------------

static const struct cc_region *loop_around(const struct search *search, const struct cc_region *r) {
    for (uint32_t i = 0; i < search->count; i++) {
        const struct cc_node *n = search->regions[i]->node;
        if (search->regions[i]->is_loop && n->from <= r->node->from && n->to >= r->node->to) return search->regions[i];
    }
    return NULL;
}

static const char *kind_of(const struct cc_region *r) { return r->node->kind == CC_PRAGMA ? "block" : "loop"; }

static uint32_t line_of(const struct cc_region *r) { return r->source->tokens[r->node->from].line; }

static void print_report(const struct search *search, FILE *report) {
    const struct cc_source *s = search->source;
    for (uint32_t i = 0; i < search->kept_count; i++) {
        const struct cc_region *r = search->kept[i], *around = loop_around(search, r);
        fprintf(report, "%s:%u: ", s->files[s->tokens[r->node->from].file], line_of(r));
        if (!r->reason) {
            fprintf(report, "offloaded");
            if (r->is_loop) fprintf(report, ", the whole %s where a call can", kind_of(r));
            if (around && !r->is_loop)
                fprintf(report, " with the %s at line %u, or alone", kind_of(around), line_of(around));
            if (r->switch_count) fprintf(report, ", but where %s", cc_switched(r));
            if (r->assumed) fprintf(report, ", but where %s", r->assumed);
            if (r->assumed_rooms) fprintf(report, ", but where %s", r->assumed_rooms);
            if (cc_if_condition(r)) fprintf(report, ", where %s", cc_if_condition(r));
            if (*r->plan) fprintf(report, ": %s", r->plan);
        } else {
            if (r->is_loop) fprintf(report, "the %s stays on the ", kind_of(r));
            fprintf(report, "CPU: %s", r->reason);
            if (r->reason_line && r->reason_line != line_of(r)) fprintf(report, " (line %u)", r->reason_line);
        }
        fprintf(report, "\n");
    }
}

static struct cc_source *read_source(struct base_cx *cx, struct front_names *names, const char *path, const char *text,
                                     size_t size, const struct cc_options *options) {
    struct cc_source *s = base_alloc(cx, sizeof *s);
    s->cx = cx;
    s->names = names;
    s->path = path;
    s->text = text;
    s->size = s->own_size = size;
    s->options = options;
    cc_cut(s);
    cc_read_file(s);
    return s;
}

const char *cc_analyse(struct base_cx *cx, const char *path, const char *text, size_t size,
                       const struct cc_options *options, FILE *report) {
    if (memchr(text, 0, size)) return NULL; // what it means is the compiler's own affair
    struct front_names *names = front_names_create(cx);
    struct cc_source *s = read_source(cx, names, path, text, size, options);
    const char *hoisted = cc_hoist_statics(s, &size);
    if (hoisted) s = read_source(cx, names, path, hoisted, size, options);
    size_t own_size = size;
    const char *appended = cc_append_imports(s, &size);
    if (appended) {
        const struct cc_source *before = s;
        s = read_source(cx, names, path, appended, size, options);
        s->own_size = own_size;
        s->neighbours = before->neighbours;
        s->imports = before->imports;
        s->import_count = before->import_count;
        s->import_cap = before->import_cap;
    }
    cc_find_exits(s);
    mark_functions(s);
    struct search search = {.source = s, .options = options};
    do {
        search.count = search.kept_count = 0;
        for (uint32_t i = 0; i < s->function_count; i++) {
            search.function = &s->functions[i];
            if (s->functions[i].body && s->functions[i].has_parallel)
                find_regions(&search, s->functions[i].body, false);
        }
    } while (note_kept(&search));
    if (report) print_report(&search, report);
    return search.count || cc_says(s) ? cc_rewrite(s, search.regions, search.count, options) : NULL;
}
