// A plan read from text becomes a program: all but the C text and what a compile has to say about it.
#include <string.h>

#include "base/pairs.h"
#include "plan/program.h"

void plan_present(struct whorl_param *io, enum whorl_dtype type) {
    io->dtype = type;
    io->dims[io->ndims - 1] /= 2;
    if (io->ndims > 1 && io->dims[io->ndims - 1] == 1) io->ndims--;
}

static double scalar_value(const struct plan_scalar *s) {
    if (s->dtype == WHORL_F64)
        return base_pair_value((struct base_pair){base_bits_float(s->bits), base_bits_float(s->low)});
    if (s->dtype == WHORL_I64) return (double)(int64_t)((uint64_t)s->high << 32 | s->bits);
    if (s->dtype == WHORL_U64) return (double)((uint64_t)s->high << 32 | s->bits);
    return s->dtype == WHORL_F32   ? (double)base_bits_float(s->bits)
           : s->dtype == WHORL_I32 ? (double)(int32_t)s->bits
                                   : (double)s->bits;
}

static void describe_param(const struct plan *p, const struct plan_param *from, const int64_t *values,
                           struct whorl_param *out) {
    if (!from->is_array) {
        const struct plan_scalar *s = &p->scalars[from->index];
        *out = (struct whorl_param){
            .name = s->name, .dtype = s->dtype, .value = scalar_value(s), .is_uniform = s->kind == PLAN_UNIFORM};
        return;
    }
    const struct plan_array *a = &p->arrays[from->index];
    *out = (struct whorl_param){.name = a->name,
                                .dtype = a->dtype,
                                .is_array = true,
                                .is_output = a->kind == PLAN_INOUT,
                                .ndims = a->ndims,
                                .is_exact = a->exact};
    for (uint32_t d = 0; d < a->ndims; d++) {
        int64_t dim = 0;
        (void)plan_eval(p, a->dims[d], values, &dim); // the validator has seen that it works and is not negative
        out->dims[d] = (uint64_t)dim;
    }
    if (a->pairs && !a->pair_run_count) plan_present(out, WHORL_F64);
    if (a->longs) plan_present(out, a->longs);
}

static void mark_kernels(const struct plan_node *node, bool *used) {
    if (node->kind == PLAN_DISPATCH) used[node->kernel] = true;
    for (uint32_t i = 0; i < node->child_count; i++)
        mark_kernels(&node->children[i], used);
}

const char *plan_kernels_text(struct base_cx *cx, const struct plan *p) {
    const struct {
        const char *name;
        const struct plan_node *root;
    } users[] = {{"single", p->single.exists ? &p->single.root : NULL},
                 {"what single falls back to", p->single.exists ? p->single.fallback : NULL},
                 {"steps", p->steps.exists ? &p->steps.root : NULL},
                 {"eager", p->eager.exists ? &p->eager.root : NULL}};
    enum { USERS = sizeof users / sizeof *users };
    bool *used[USERS];
    for (uint32_t i = 0; i < USERS; i++) {
        used[i] = base_alloc_array(cx, p->kernel_count + 1, sizeof **used);
        if (users[i].root) mark_kernels(users[i].root, used[i]);
    }
    struct base_text text;
    base_text_init(&text, cx);
    for (uint32_t k = 0; k < p->kernel_count; k++) {
        const char *comma = ": ";
        base_text_format(&text, "// kernel %s, from %s", p->kernels[k].name, p->kernels[k].origin);
        for (uint32_t i = 0; i < USERS; i++) {
            if (!used[i][k]) continue;
            base_text_format(&text, "%s%s", comma, users[i].name);
            comma = ", ";
        }
        base_text_format(&text, "\n%s\n", p->kernels[k].wgsl);
    }
    return text.data;
}

static struct whorl_program *make_program(struct base_cx *cx, const char *json, size_t size_bytes) {
    struct whorl_program *program = base_alloc(cx, sizeof *program);
    struct plan *p = plan_read(cx, json, size_bytes);
    int64_t *values = base_alloc_array(cx, (size_t)p->scalar_count + 1, sizeof *values);
    for (uint32_t i = 0; i < p->scalar_count; i++)
        values[i] =
            p->scalars[i].dtype == WHORL_I32 ? (int64_t)(int32_t)p->scalars[i].bits : (int64_t)p->scalars[i].bits;
    *program = (struct whorl_program){.cx = cx, .name = p->entry, .plan = p};
    program->params = base_alloc_array(cx, p->param_count, sizeof *program->params);
    program->param_count = program->param_cap = p->param_count;
    for (uint32_t i = 0; i < p->param_count; i++)
        describe_param(p, &p->params[i], values, &program->params[i]);
    program->wgsl_text = plan_kernels_text(cx, p);
    program->plan_json = plan_write(cx, p, NULL);
    return program;
}

enum whorl_status whorl_plan_read(const char *json, size_t size_bytes, whorl_program **out_program,
                                  struct whorl_error *err) {
    if (!json || !out_program)
        return base_set_error(err, WHORL_INVALID, "plan", "no text, or no place for the program");
    *out_program = NULL;
    struct base_cx *cx = base_heap_alloc(sizeof *cx);
    if (!cx) return base_set_error(err, WHORL_MEMORY, "plan", "out of memory");
    base_cx_init(cx);
    if (setjmp(cx->bail)) {
        enum whorl_status status = cx->status;
        base_set_error(err, status, "plan", "%s", cx->diag_count ? cx->diags[0].message : "out of memory");
        base_cx_deinit(cx);
        base_heap_free(cx);
        return status;
    }
    *out_program = make_program(cx, json, size_bytes);
    return WHORL_OK;
}
