// Whether the whole compiler takes a region's program. Its numbers and sizes are not known yet, so some are tried: a
// region stays on the CPU only if none of them will do. A race or an index outside of its array that is found by
// playing the program with them need never happen: the last trials do without, and a call finds what is so.
#include <stdio.h>
#include <string.h>

#include "cc/region.h"
#include "front/front.h"
#include "pass/analysis/depend.h"

// Of two integers one may have to be the smaller, as a column of a matrix is smaller than its width: they are equal
// first, then rise, then fall.
static const struct trial {
    double integer, step, at; // each integer parameter is so much larger than the one before it
    uint64_t outer;           // elements of an array's outermost dimension
} trials[] = {{16, 0, 4096, 65536},   {3, 3, 4096, 65536}, {40, -3, 4096, 65536}, {16, 0, 4096, 1 << 20},
              {16, 0, 4096, 1 << 24}, {16, 0, 256, 1024},  {1, 0, 64, 128}};

// "single: 1 dispatch a slice, with 2 barriers across the grid a step".
static const char *plan_words(struct cc_region *r, const whorl_program *program) {
    const char *text = whorl_program_text(program, WHORL_TEXT_EXPLAIN);
    const char *at = strstr(text, "single: ");
    if (!at) return "";
    at += 8;
    return base_strndup(r->source->cx, at, strcspn(at, "\n"));
}

// What the front-end says of a program that it does not take.
static void note_words(struct base_cx *cx, struct whorl_error *err) {
    cx->arena.limit_bytes = 0;
    if (setjmp(cx->bail) == 0) snprintf(err->message, sizeof err->message, "%s", base_render_diags(cx));
}

// As far as a program can be refused because of what it says: lowered, and looked at for races and indices.
static enum whorl_status check(struct cc_region *r, const struct whorl_compile_options *o, bool examples,
                               struct whorl_error *err) {
    struct base_cx cx;
    base_cx_init(&cx);
    cx.arena.limit_bytes = (size_t)256 << 20;
    volatile enum whorl_status status = WHORL_OK;
    volatile bool is_lowered = false;
    err->message[0] = 0;
    if (setjmp(cx.bail) == 0) {
        struct front_options fo = {.path = r->source->path, .text = r->program, .user = o};
        struct front_result front = front_compile(&cx, &fo);
        base_check_errors(&cx);
        is_lowered = true;
        if (examples) pass_check_indices(front.unit);
        base_check_errors(&cx);
        if (!front.unit->locks) pass_check_races(front.unit, examples);
        base_check_errors(&cx);
    } else {
        status = cx.status;
        if (!is_lowered && status == WHORL_SOURCE) note_words(&cx, err);
    }
    base_cx_deinit(&cx);
    return status;
}

// What is said of the parameters. `open`: integers but for the number of threads are left to the run.
static void put_options(struct cc_region *r, const struct cc_options *options, const struct trial *trial, bool open,
                        struct whorl_compile_options *o) {
    struct base_cx *cx = r->source->cx;
    struct whorl_scalar *scalars = base_alloc_array(cx, r->param_count + 1, sizeof *scalars);
    struct whorl_shape *shapes = base_alloc_array(cx, r->param_count + 1, sizeof *shapes);
    const char **uniform = base_alloc_array(cx, r->param_count + 1, sizeof *uniform);
    double integer = trial->integer;
    for (uint32_t i = 0; i < r->param_count; i++) {
        const struct cc_param *p = &r->params[i];
        double at = p->has_planes ? 64 : trial->at; // three dimensions of it
        double value = p->kind == CC_PARAM_OFFSET || p->kind == CC_PARAM_WIDTH ? at
                       : p->kind == CC_PARAM_REAL                              ? 0.5
                                                                               : integer;
        if (p->kind == CC_PARAM_OFFSET && i && r->params[i - 1].is_rows) value = 0; // always
        if (p->kind == CC_PARAM_ARRAY && !p->is_cell)
            shapes[o->shape_count++] =
                (struct whorl_shape){.name = p->name, .ndims = 1, .dims = {p->is_rows ? (uint64_t)at : trial->outer}};
        else if (p->kind != CC_PARAM_ARRAY && p->kind != CC_PARAM_WHICH)
            scalars[o->scalar_count++] = (struct whorl_scalar){p->name, value};
        if (open && p->kind == CC_PARAM_INTEGER && p->value != r->team) uniform[o->uniform_count++] = p->name;
        if (p->kind == CC_PARAM_INTEGER && integer + trial->step >= 1) integer += trial->step;
    }
    o->entry = CC_ENTRY;
    o->scalars = scalars;
    o->shapes = shapes;
    o->uniform = uniform;
    o->double_as_float = options->double_as_float;
    o->double_as_pair = options->double_as_pair;
}

// True: taken, or too large for these sizes, which says nothing.
static bool compiles(struct cc_region *r, const struct cc_options *options, const struct trial *trial,
                     const char *without, struct whorl_error *err) {
    struct whorl_compile_options o = WHORL_COMPILE_OPTIONS_INIT;
    put_options(r, options, trial, false, &o);
    o.pass_off = without;
    if (!options->has_report) {
        err->status = check(r, &o, without == NULL, err);
        return err->status == WHORL_OK || err->status == WHORL_LIMIT;
    }
    whorl_program *program;
    enum whorl_status status = whorl_compile(r->source->path, r->program, &o, &program, err);
    if (status == WHORL_OK) r->plan = plan_words(r, program);
    whorl_program_destroy(program);
    return status == WHORL_OK || status == WHORL_LIMIT;
}

// Refused for what it says, not by the last passes: where other sizes are taken, a loop with it has no iterations.
static bool is_refused(struct cc_region *r, const struct cc_options *options) {
    struct whorl_compile_options o = WHORL_COMPILE_OPTIONS_INIT;
    struct whorl_error err;
    put_options(r, options, &trials[0], false, &o);
    return check(r, &o, true, &err) == WHORL_UNSUPPORTED;
}

// At these sizes its loops have no iterations.
static bool does_nothing(const struct cc_region *r) { return strncmp(r->plan, "0 dispatches", 12) == 0; }

// Sets `plan` and returns true where it is taken and does something, as far as that is known. *out_taken: some sizes
// were taken.
static bool try_sizes(struct cc_region *r, const struct cc_options *options, bool *out_taken,
                      struct whorl_error *first) {
    enum { ORDERS = 3 }; // the first trials: of each order of integers one
    const size_t count = sizeof trials / sizeof *trials;
    size_t shared = 0;
    const char *without[] = {NULL, "examples"};
    struct whorl_error err = {0};
    *out_taken = false;
    *first = err;
    for (size_t i = 0; i < 2 * count; i++) {
        if (i == count && *out_taken) break;
        bool now = compiles(r, options, &trials[i % count], without[i / count], &err);
        if (now && !does_nothing(r)) return true;
        *out_taken |= now && first->status != WHORL_UNSUPPORTED; // (without iterations nothing of them is refused)
        if (i == 0) *first = err;
        if (first->status == WHORL_UNSUPPORTED && (i > 0 || !options->has_report || is_refused(r, options))) break;
        if (first->status == WHORL_UNSUPPORTED) i = count - 2; // by the last passes, perhaps: for small sizes they do
        shared += !now && strstr(err.message, "is shared by all threads") && strcmp(err.message, first->message) == 0;
        if (shared == ORDERS) return false; // that does not follow from sizes
    }
    return false;
}

// With a report, its words are those of the whole compiler. Without one, it is enough to know that the program may be
// taken: the few things that only the last passes refuse, as too many arrays, a call finds.
void cc_try(struct cc_region *r, const struct cc_options *options) {
    struct whorl_error first;
    bool taken;
    r->plan = "";
    if (try_sizes(r, options, &taken, &first)) return;
    if (!taken)
        cc_take_reason(r, first.message);
    else
        r->plan = ""; // its dispatches are not known
}

// What the call knows of a parameter, or of an element of one; NULL: it is no variable of the call's.
static const char *text_of(struct cc_region *r, const struct ir_unit *u, ir_expr e) {
    const struct ir_node n = u->nodes[e];
    uint32_t at = n.op == IR_VAR ? u->vars[n.a].param : u->arrays[n.a].param, index;
    if (at >= r->param_count || strcmp(r->params[at].name, u->params[at].name) != 0) return NULL;
    const struct cc_param *p = &r->params[at], *next = p + 1 < r->params + r->param_count ? p + 1 : NULL;
    if (n.op == IR_VAR) return p->kind == CC_PARAM_INTEGER ? p->value : NULL;
    if (p->is_rows || p->is_fields || (next && next->kind == CC_PARAM_OFFSET)) return NULL;
    struct base_text text;
    base_text_init(&text, r->source->cx);
    base_text_format(&text, "(%s)", p->value);
    for (uint32_t i = 0; i < n.n; i++)
        base_text_format(&text, "[%u]", ir_is_const(u, u->args[n.b + i], &index) ? index : 0);
    return text.data;
}

// False: one of the numbers cannot be asked for.
static bool assume(struct cc_region *r, const struct ir_unit *u, const struct pass_left *left, const char **io_all) {
    struct base_text all;
    base_text_init(&all, r->source->cx);
    base_text_put(&all, *io_all ? *io_all : "");
    if (!left->count) return true;
    for (uint32_t i = 0; i < left->count; i++) {
        const struct pass_left_if *c = &left->items[i];
        const char *text = text_of(r, u, c->e), *other = c->other ? text_of(r, u, c->other) : "";
        if (!text || !other) return false;
        const char *one = base_format(r->source->cx, "((long long)%s%s%s < %lld)", text, *other ? " - " : "", other,
                                      (long long)c->least);
        if (!all.data || !strstr(all.data, one)) base_text_format(&all, "%s%s", all.size ? " || " : "", one);
    }
    *io_all = all.size ? all.data : NULL;
    return true;
}

// False: it is not so, or (`*out_lowered`) not known.
static bool sees_nothing(struct cc_region *r, const struct cc_options *options, const struct cc_name *name, bool open,
                         bool *out_lowered) {
    struct whorl_compile_options o = WHORL_COMPILE_OPTIONS_INIT;
    volatile bool is_proven = false, is_lowered = false;
    struct pass_left left;
    struct base_cx cx;
    put_options(r, options, &trials[0], open, &o);
    o.double_as_float =
        options->double_as_float || options->double_as_pair; // what is set is the same, and more is open
    o.double_as_pair = false;
    base_cx_init(&cx);
    cx.arena.limit_bytes = (size_t)256 << 20;
    if (setjmp(cx.bail) == 0) {
        struct front_options fo = {.path = r->source->path, .text = r->program, .user = &o};
        struct front_result front = front_compile(&cx, &fo);
        base_check_errors(&cx);
        is_lowered = true;
        is_proven = !pass_sees_left(front.unit, name->text, &left) &&
                    assume(r, front.unit, &left, name->is_thread ? &r->assumed_rooms : &r->assumed);
    }
    base_cx_deinit(&cx);
    *out_lowered = is_lowered;
    return is_proven;
}

bool cc_is_room_proven(struct cc_region *r, const struct cc_options *options, const struct cc_name *name,
                       bool for_some) {
    bool is_lowered;
    if (sees_nothing(r, options, name, true, &is_lowered)) return true;
    return for_some && !is_lowered && sees_nothing(r, options, name, false, &is_lowered);
}
