// The file again, with each region that is moved inside of `if (it ran on the GPU) ... else { the region }`.
//
// What is put in stands in lines that are marked as a system header's (# LINE "FILE" 3), so that the compiler warns of
// nothing in it; the program's own text keeps its lines.
#include <string.h>

#include "base/embed.h"
#include "cc/region.h"
#include "offload/region_abi.h"

static void put_string(struct base_text *out, const char *text) {
    base_text_put(out, "\"");
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '\n')
            base_text_put(out, text[1] ? "\\n\"\n\"" : "\\n");
        else if (c == '"' || c == '\\')
            base_text_format(out, "\\%c", c);
        else if (c < 32 || c > 126 || c == '?')
            base_text_format(out, "\\%03o", c);
        else
            base_text_add(out, text, 1);
    }
    base_text_put(out, "\"");
}

// The part of region_abi.h between its marks, without comments.
static void put_abi(struct base_text *out) {
    const char *p = strstr(cc_texts[0].text, "// begin\n"), *end = strstr(p, "// end\n");
    while (p < end) {
        size_t size = strcspn(p, "\n") + 1;
        if (p[strspn(p, " ")] != '/') base_text_add(out, p, size);
        p += size;
    }
}

static uint32_t kind_of(const struct cc_param *p) {
    static const uint8_t kinds[] = {
        [CC_PARAM_INTEGER] = WHORL_CC_INTEGER, [CC_PARAM_REAL] = WHORL_CC_REAL,   [CC_PARAM_ARRAY] = WHORL_CC_ARRAY,
        [CC_PARAM_OFFSET] = WHORL_CC_OFFSET,   [CC_PARAM_WIDTH] = WHORL_CC_WIDTH, [CC_PARAM_WHICH] = WHORL_CC_WHICH};
    return kinds[p->kind];
}

static void put_layout(struct base_text *out, const struct cc_param *p, uint32_t id, uint32_t i) {
    if (!p->layout) return;
    base_text_format(out, "static const unsigned whorl_cc_layout_%u_%u[] = {", id, i);
    for (uint32_t w = 0; w < p->layout[1] + 2; w++)
        base_text_format(out, "%uu,", p->layout[w]);
    base_text_put(out, "};\n");
}

static void put_descriptor(struct base_text *out, const struct cc_region *r, uint32_t id,
                           const struct cc_options *options) {
    const struct cc_token *from = &r->source->tokens[r->node->from];
    uint32_t swaps = cc_only_swaps(r) ? WHORL_CC_SWAPS : 0u;
    for (uint32_t i = 0; i < r->param_count; i++)
        put_layout(out, &r->params[i], id, i);
    base_text_format(out, "static const struct whorl_cc_param whorl_cc_params_%u[] = {\n", id);
    for (uint32_t i = 0; i < r->param_count; i++) {
        const struct cc_param *p = &r->params[i];
        uint32_t flags = (p->is_struct ? WHORL_CC_STRUCT : 0u) | (p->is_cell ? WHORL_CC_CELL : 0u) |
                         (p->is_rows ? WHORL_CC_ROWS : 0u) | (p->is_rows && p->has_planes ? WHORL_CC_PLANES : 0u) |
                         (p->kind == CC_PARAM_WHICH ? swaps : 0u) | (p->varies ? WHORL_CC_VARIES : 0u) |
                         (p->variable ? WHORL_CC_VARIABLE : 0u) | (p->is_fields ? WHORL_CC_FIELDS : 0u) |
                         (p->is_compared ? WHORL_CC_COMPARED : 0u) | (p->is_starts ? WHORL_CC_STARTS : 0u) |
                         (p->is_section ? WHORL_CC_SECTION : 0u) | (p->is_exchanged ? WHORL_CC_EXCHANGED : 0u) |
                         (p->is_equated ? WHORL_CC_EQUATED : 0u) | (p->is_tail ? WHORL_CC_TAIL : 0u) |
                         (p->is_pointed ? WHORL_CC_POINTED : 0u);
        const char *layout = p->layout ? base_format(r->source->cx, "whorl_cc_layout_%u_%u", id, i) : "0";
        base_text_format(out, "{\"%s\", %u, %u, %s},\n", p->name, kind_of(p), flags, layout);
    }
    base_text_format(out, "{0, 0, 0, 0}};\nstatic struct whorl_cc_region whorl_cc_region_%u = {", id);
    put_string(out, r->source->files[from->file]);
    base_text_format(out, ", %u, %u, whorl_cc_params_%u,\n", from->line, r->param_count, id);
    put_string(out, r->program);
    base_text_put(out, ", ");
    if (r->flat)
        put_string(out, r->flat);
    else
        base_text_put(out, "0");
    base_text_put(out, ", ");
    put_string(out, options->whorl);
    enum whorl_cc_doubles doubles = options->double_as_pair    ? WHORL_CC_PAIRS
                                    : options->double_as_float ? WHORL_CC_FLOATS
                                                               : WHORL_CC_NO_DOUBLES;
    int around = r->is_loop + (r->is_loop && r->node->kind == CC_PRAGMA);
    base_text_format(out, ", %d, %d, %d, 0, 0};\n", (int)doubles, around, r->by_threads + r->is_dealt);
}

static bool has_cell(const struct cc_variable *v) { return v->form == CC_CELL; }

// A pointer that another one may end at.
static bool can_be_end(const struct cc_variable *v) { return v->form == CC_REACH && !v->name->each; }

static bool any_moves(const struct cc_region *r) {
    for (uint32_t i = 0; i < r->var_count; i++)
        if (r->vars[i].moves) return true;
    return false;
}

// A copy of a variable, and the old value of a pointer. Members are behind pointers that may be NULL: of them there are
// declarations first, and values where the pointers lead somewhere (put_values).
static bool is_guarded(const struct cc_region *r, const struct cc_variable *v) {
    return v->name->said && r->followed_count;
}
static void put_copy(struct base_text *out, const struct cc_region *r, const struct cc_variable *v, bool moves) {
    const char *name = v->name->text, *said = cc_said(v->name);
    bool guarded = is_guarded(r, v);
    if (has_cell(v))
        base_text_format(out, "__extension__ __typeof__(%s) whorl_%s%s%s;\n", said, name, guarded ? "" : " = ",
                         guarded ? "" : said);
    if (moves && can_be_end(v))
        base_text_format(out, "void *whorl_was_%s%s%s;\n", name, guarded ? "" : " = (void *)", guarded ? "" : said);
}
static void put_value(struct base_text *out, const struct cc_region *r, const struct cc_variable *v, bool moves) {
    const char *name = v->name->text, *said = cc_said(v->name);
    if (!is_guarded(r, v)) return;
    if (has_cell(v))
        base_text_format(out, "__builtin_memcpy((void *)&whorl_%s, (void *)&%s, sizeof whorl_%s);\n", name, said, name);
    if (moves && can_be_end(v)) base_text_format(out, "whorl_was_%s = (void *)%s;\n", name, said);
}

// Constants, but for those of arrays whose bounds are not.
static void put_sizes(struct base_text *out, const struct cc_region *r) {
    base_text_put(out, "static const unsigned long long whorl_sizes[] = {");
    for (uint32_t i = 0; i < r->param_count; i++) {
        const struct cc_param *p = &r->params[i];
        const char *of_variable = p->variable ? base_format(r->source->cx, "sizeof(*%s)", p->variable) : "0";
        bool is_array = p->kind == CC_PARAM_ARRAY || p->kind == CC_PARAM_WHICH;
        if (is_array)
            base_text_format(out, "%s, %s, %s,\n", p->varies ? "0" : p->bytes, p->varies ? "0" : p->unit_bytes,
                             p->declared ? p->declared : "0");
        else
            base_text_format(out, "%s, 0, 0,\n", of_variable);
    }
    base_text_put(out, "0};\n");
}

// Copies of what the region changes, and the old values of pointers.
static void put_copies_before(struct base_text *out, const struct cc_region *r) {
    bool moves = any_moves(r);
    uint32_t moved = 0;
    struct base_text copies;
    base_text_init(&copies, r->source->cx);
    for (uint32_t i = 0; i < r->var_count; i++) {
        put_copy(&copies, r, &r->vars[i], moves);
        moved += r->vars[i].moves;
    }
    // the region may be what sets a variable: then its copy is one of no value
    if (copies.size)
        base_text_format(out,
                         "\n#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored \"-Wuninitialized\"\n"
                         "#pragma GCC diagnostic ignored \"-Wmaybe-uninitialized\"\n"
                         "%s#pragma GCC diagnostic pop\n",
                         copies.data);
    if (r->team || r->setting_count) base_text_put(out, "extern int omp_get_max_threads(void);\n");
    if (r->setting_count)
        base_text_put(out, "extern void omp_set_num_threads(int);\nint whorl_threads[1] = {omp_get_max_threads()};\n");
    if (moves) base_text_format(out, "int whorl_which[%u] = {0};\n", moved);
    cc_put_kept_names(out, r);
}

// Where the runtime is linked, and pointers to structs lead somewhere.
static void put_condition(struct base_text *out, const struct cc_region *r) {
    base_text_put(out, "if (whorl_cc_enter");
    for (uint32_t i = 0; i < r->followed_count; i++)
        base_text_format(out, " && whorl_cc_readable((const void *)%s, sizeof *%s)", r->followed[i], r->followed[i]);
    base_text_put(out, ") {\n");
}

static void put_words(struct base_text *out, const struct cc_region *r) {
    uint32_t at = 0;
    for (uint32_t i = 0; i < r->param_count; i++, at++) {
        const struct cc_param *p = &r->params[i];
        if (p->kind == CC_PARAM_INTEGER)
            base_text_format(out, "whorl_args[%u].integer = (long long)(%s);\n", at, p->value);
        else if (p->kind == CC_PARAM_REAL)
            base_text_format(out, "whorl_args[%u].real = (double)(%s);\n", at, p->value);
        else if (p->kind == CC_PARAM_ARRAY || p->kind == CC_PARAM_WHICH)
            base_text_format(out, "whorl_args[%u].at = (void *)(%s);\n", at, p->value);
    }
    for (uint32_t i = 0; i < r->param_count; i++) {
        const struct cc_param *p = &r->params[i];
        if (p->varies) {
            base_text_format(out, "whorl_args[%u].integer = %s;\n", at++, p->bytes);
            base_text_format(out, "whorl_args[%u].integer = %s;\n", at++, p->unit_bytes);
        }
        if (p->variable) base_text_format(out, "whorl_args[%u].at = (void *)(%s);\n", at++, p->variable);
    }
}

static uint32_t word_count(const struct cc_region *r) {
    uint32_t count = 1;
    for (uint32_t i = 0; i < r->param_count; i++)
        count += 1 + 2 * r->params[i].varies + (r->params[i].variable != NULL);
    return count;
}

// After the GPU: what changed goes back into the variables.
static void put_results(struct base_text *out, const struct cc_region *r) {
    uint32_t moved = 0;
    for (uint32_t i = 0; i < r->var_count; i++) {
        const struct cc_variable *v = &r->vars[i];
        if (has_cell(v) && cc_comes_back(v)) base_text_format(out, "%s = whorl_%s;\n", cc_said(v->name), v->name->text);
        if (!v->moves) continue;
        for (uint32_t k = 0; k < r->var_count; k++)
            if (can_be_end(&r->vars[k]))
                base_text_format(out, "if (whorl_which[%u] == %u) %s = whorl_was_%s;\n", moved, k, cc_said(v->name),
                                 r->vars[k].name->text);
        moved++;
    }
    if (r->setting_count)
        base_text_put(out, "if (whorl_threads[0] != omp_get_max_threads()) omp_set_num_threads(whorl_threads[0]);\n");
}

// After the CPU's own run: what changed goes into the copies, for the comparison.
static void put_copies(struct base_text *out, const struct cc_region *r) {
    uint32_t moved = 0;
    for (uint32_t i = 0; i < r->var_count; i++) {
        const struct cc_variable *v = &r->vars[i];
        if (has_cell(v) && cc_comes_back(v)) base_text_format(out, "whorl_%s = %s;\n", v->name->text, cc_said(v->name));
        if (!v->moves) continue;
        base_text_format(out, "whorl_which[%u] = ", moved++);
        for (uint32_t k = 0; k < r->var_count; k++)
            if (can_be_end(&r->vars[k]))
                base_text_format(out, "(void *)%s == whorl_was_%s ? %u : ", cc_said(v->name), r->vars[k].name->text, k);
        base_text_put(out, "-1;\n");
    }
    if (r->setting_count) base_text_put(out, "whorl_threads[0] = omp_get_max_threads();\n");
}

struct insertion {
    uint32_t at; // in the text
    const char *text;
};

// `symbol` says, where it is linked, or not linked, why the region is for the CPU.
static void put_bar(struct base_text *names, struct base_text *list, const char *symbol, bool there, const char *why) {
    base_text_format(names, "extern char %s __attribute__((weak));\n", symbol);
    base_text_format(list, "%s&%s ? \"%s\" : ", there ? "" : "!", symbol, why);
}

static const char seen[] = "variables of each thread may hold what another iteration left in them";

// Where the region sees what was left in its rooms, and the GPU has run what would have left it, nobody has that.
static const char *end_text(const struct cc_region *r, uint32_t id) {
    struct base_text gone;
    base_text_init(&gone, r->source->cx);
    for (uint32_t i = 0; i < r->room_count; i++)
        base_text_format(&gone, "%swhorl_cc_gone_%s", i ? " | " : "", r->rooms[i]->text);
    return base_format(r->source->cx, "whorl_cc_end(&whorl_cc_region_%u, %s)", id, gone.data);
}

// What may be known only when the program is linked, or runs.
static void put_bars(struct base_text *out, const struct cc_region *r, uint32_t id) {
    struct base_cx *cx = r->source->cx;
    struct base_text names, list;
    base_text_init(&names, cx);
    base_text_init(&list, cx);
    for (uint32_t i = 0; i < r->room_count; i++) {
        const char *name = r->rooms[i]->text;
        if (r->rooms[i]->is_static) continue;
        put_bar(&names, &list, base_format(cx, "whorl_cc_keeps_%s", name), true,
                base_format(cx, "'%s' is a variable of each thread, and another file uses what is left in it", name));
    }
    for (uint32_t i = 0; i < r->import_count; i++) {
        const struct cc_import *m = r->imports[i];
        put_bar(&names, &list, base_format(cx, "whorl_cc_is_%s_%016llx", m->name, (unsigned long long)m->hash), false,
                base_format(cx, "'%s' is not the function that was found beside this file", m->name));
    }
    cc_put_generator_bars(&list, r->program);
    for (uint32_t i = 0; i < r->var_count; i++)
        if (cc_is_function_pointer(r->vars[i].name))
            base_text_format(&list,
                             "!%s ? \"'%s' leads to no function that this file declares in front of the region\" : ",
                             cc_target_text((struct cc_region *)r, r->vars[i].name), r->vars[i].name->text);
    if (r->switch_count) {
        base_text_format(&list, "%s ? ", cc_switched(r));
        put_string(&list, base_format(cx, "%s, and then there is something for the CPU", cc_switched(r)));
        base_text_put(&list, " : ");
    }
    if (r->team) base_text_format(&list, "(%s) < 1 ? \"a region of no threads\" : ", r->team);
    base_text_put(&list, cc_kept_bar(r));
    if (r->assumed) base_text_format(&list, "%s ? \"%s\" : ", r->assumed, seen);
    if (r->assumed_rooms) base_text_format(&list, "%s ? (%s, \"%s\") : ", r->assumed_rooms, end_text(r, id), seen);
    const char *condition = cc_if_condition(r);
    if (condition) {
        base_text_format(&list, "!(%s) ? ", condition);
        put_string(&list, base_format(cx, "where not %s, one thread alone runs it", condition));
        base_text_put(&list, " : ");
    }
    if (!list.size) return;
    if (names.size) base_text_put(out, names.data);
    base_text_format(out, "whorl_cc_region_%u.barred = %s0;\n", id, list.data);
}

static struct insertion opening(const struct cc_region *r, uint32_t id) {
    struct base_text t;
    base_text_init(&t, r->source->cx);
    const struct cc_token *from = &r->source->tokens[r->node->from];
    const char *file = r->source->files[from->file];
    base_text_format(&t, "\n# %u \"%s\" 3\n{\n", from->line, file);
    cc_put_wait_before(&t, r);
    put_copies_before(&t, r);
    put_sizes(&t, r);
    base_text_format(&t, "union whorl_cc_word whorl_args[%u];\nint whorl_way = 0;\n", word_count(r));
    put_condition(&t, r);
    cc_put_kept_before(&t, r);
    for (uint32_t i = 0; i < r->var_count; i++)
        put_value(&t, r, &r->vars[i], any_moves(r));
    put_words(&t, r);
    put_bars(&t, r, id);
    base_text_format(&t, "whorl_way = whorl_cc_enter(&whorl_cc_region_%u, whorl_sizes, whorl_args);\n}\n", id);
    base_text_put(&t, "if (whorl_way == 1) {\n");
    put_results(&t, r);
    cc_put_kept_copies(&t, r, true);
    for (uint32_t i = 0; i < r->room_count; i++)
        base_text_format(&t, "whorl_cc_gone_%s = 1;\n", r->rooms[i]->text);
    cc_put_asides(&t, r);
    base_text_format(&t, "} else {\n# %u \"%s\"\n", from->line, file);
    return (struct insertion){from->at, t.data};
}

static struct insertion closing(const struct cc_region *r, uint32_t id) {
    struct base_text t;
    base_text_init(&t, r->source->cx);
    const struct cc_token *last = &r->source->tokens[r->node->to - 1];
    const char *file = r->source->files[last->file];
    base_text_format(&t, "\n# %u \"%s\" 3\n", last->line, file);
    cc_put_wait_behind(&t, r);
    base_text_put(&t, "if (whorl_way == 2) {\n");
    put_copies(&t, r);
    cc_put_kept_copies(&t, r, false);
    base_text_format(&t, "whorl_cc_leave(&whorl_cc_region_%u, whorl_sizes, whorl_args);\n} }\n", id);
    cc_put_kept_after(&t, r);
    base_text_format(&t, "}\n# %u \"%s\"\n", last->line, file);
    return (struct insertion){last->at + last->size, t.data};
}

// Regions come from the outside in, so of two that begin at one place the outer one is opened first.
static void insert(struct insertion *list, uint32_t *io_count, struct insertion item, bool before_equals) {
    uint32_t i = (*io_count)++;
    for (; i > 0 && (list[i - 1].at > item.at || (before_equals && list[i - 1].at == item.at)); i--)
        list[i] = list[i - 1];
    list[i] = item;
}

struct insertions {
    struct insertion *list;
    uint32_t *count;
};
static void take_insertion(void *user, uint32_t at, const char *text) {
    const struct insertions *all = user;
    insert(all->list, all->count, (struct insertion){at, text}, false);
}
static const char hold_text[] =
    "static void whorl_cc_unhold(unsigned long long *mark) { if (whorl_cc_drop) whorl_cc_drop(mark); }\n";

// Symbols for regions of other files: variables of each thread that this one uses for more than room, and what its
// functions are.
static bool put_symbols(struct cc_source *s, struct base_text *out) {
    bool any = false;
    for (uint32_t i = 0; i < s->declared_count; i++) {
        struct cc_name *n = s->declared[i];
        if (!n->is_file || !n->is_thread || n->is_static || cc_find(s, n->text, s->count - 1) != n) continue;
        if (cc_is_room(s, n)) continue;
        any = true;
        if (out) base_text_format(out, "char whorl_cc_keeps_%s __attribute__((weak)) = 1;\n", n->text);
    }
    for (uint32_t i = 0; s->options->neighbour_count && i < s->function_count; i++) {
        const struct cc_function *f = &s->functions[i];
        if (!cc_is_exported(s, f)) continue;
        any = true;
        if (out)
            base_text_format(out, "char whorl_cc_is_%s_%016llx __attribute__((weak)) = 1;\n", f->name,
                             (unsigned long long)cc_function_hash(s, f));
    }
    return any;
}
// Whether the GPU has run regions with that room.
static void put_rooms(const struct cc_source *s, struct cc_region **regions, uint32_t count, struct base_text *out) {
    for (uint32_t k = 0; k < s->declared_count; k++) {
        const struct cc_name *n = s->declared[k];
        bool is_room = false;
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t j = 0; j < regions[i]->room_count; j++)
                is_room = is_room || regions[i]->rooms[j] == n;
        if (is_room && n->is_static)
            base_text_format(out, "static char whorl_cc_gone_%s;\n", n->text);
        else if (is_room)
            base_text_format(out, "char whorl_cc_gone_%s __attribute__((weak)) = 0;\n", n->text);
    }
}
bool cc_says(struct cc_source *s) { return put_symbols(s, NULL); }

const char *cc_rewrite(struct cc_source *s, struct cc_region **regions, uint32_t count,
                       const struct cc_options *options) {
    struct base_text out;
    base_text_init(&out, s->cx);
    base_text_put(&out, "# 1 \"whorl_cc.h\" 3\n");
    put_abi(&out);
    put_symbols(s, &out);
    put_rooms(s, regions, count, &out);
    uint32_t held = cc_hold_arrays(s, NULL, NULL), list_count = 0;
    struct insertion *list = base_alloc_array(s->cx, 2 * (size_t)(count + held) + 1, sizeof *list);
    if (held) base_text_put(&out, hold_text);
    for (uint32_t i = 0; i < count; i++) {
        cc_declare_targets(&out, regions[i]);
        put_descriptor(&out, regions[i], i, options);
        insert(list, &list_count, opening(regions[i], i), false);
    }
    for (uint32_t i = 0; i < count; i++)
        insert(list, &list_count, closing(regions[i], i), true);
    cc_hold_arrays(s, take_insertion, &(struct insertions){list, &list_count});
    base_text_format(&out, "# 1 \"%s\"\n", s->path);
    uint32_t at = 0;
    for (uint32_t i = 0; i < list_count; i++) {
        base_text_add(&out, s->text + at, list[i].at - at);
        base_text_put(&out, list[i].text);
        at = list[i].at;
    }
    base_text_add(&out, s->text + at, s->own_size - at);
    return out.data;
}
