// The proof that a kernel needs no checks of indices: pass/analysis/bounds.h has it for the statements, with the sizes
// that the unit gives arrays; here these are compared with the buffers. What is proven is the text: a kernel of another
// rung that is printed alike is the same one.
#include <string.h>

#include "compile/build.h"
#include "pass/analysis/bounds.h"

// Words that the array takes in its buffer lie in that, and both have constant sizes.
static bool fits_buffer(const struct compile_builder *b, const struct wgsl_place *place, const struct plan_array *a,
                        const struct plan_binding *binding) {
    const struct plan *p = b->plan;
    const struct plan_expr_node *size = &p->exprs[p->buffers[binding->buffer].size_bytes];
    uint64_t bytes = a->wide ? 4 : whorl_dtype_size(a->dtype);
    for (uint32_t d = 0; d < a->ndims; d++) {
        const struct plan_expr_node *dim = &p->exprs[a->dims[d]];
        if (dim->op != PLAN_CONST || dim->value < 1 || dim->value > UINT32_MAX) return false;
        if ((bytes *= (uint64_t)dim->value) > UINT32_MAX) return false;
    }
    bytes = (bytes + 3) / 4 * 4 + 4 * (uint64_t)place->offset_elems;
    return size->op == PLAN_CONST && size->value >= 0 && bytes <= (uint64_t)size->value;
}

static void explain(struct compile_builder *b, const struct compile_kernel *k, const struct pass_bounds *found) {
    struct base_cx *cx = b->cx;
    const struct ir_unit *u = k->unit;
    base_text_format(b->explain, "bounds: the kernel of line %u: ", cx->locs[u->stmts[k->stmt].loc].line);
    if (found->proven && found->count == 0)
        base_text_put(b->explain, "it has no indices; the library adds no checks\n");
    else if (found->proven && found->loose && !k->limited.limits)
        base_text_format(
            b->explain,
            "all %u indices are proven, but %u access%s may go from row to row; the library adds no checks\n",
            found->count, found->loose, found->loose == 1 ? "" : "es");
    else if (found->proven && found->count == 1)
        base_text_put(b->explain, "its only index is proven; the library adds no checks\n");
    else if (found->proven && k->limited.limits)
        base_text_format(
            b->explain,
            "all %u indices are proven, but %u that the kernel keeps within their arrays itself, the first of '%s' "
            "at %s; the library adds no checks\n",
            found->count, k->limited.limits, u->arrays[k->limited.array].name, base_place(cx, k->limited.loc));
    else if (found->proven)
        base_text_format(b->explain, "all %u indices are proven; the library adds no checks\n", found->count);
    else
        base_text_format(b->explain, "%s '%s' at %s is not proven; the library checks every index\n", found->why,
                         found->array ? u->arrays[found->array].name : "it", base_place(cx, found->loc));
}

// Is more proven if restored variables are kept where the program sets them? Then `in` says where.
static bool keep_restored(const struct compile_builder *b, const struct pass_bounds_kernel *kernel, uint32_t limits,
                          struct wgsl_input *in) {
    uint32_t count = kernel->unit->var_count;
    struct wgsl_kept *kept = base_alloc_array(b->cx, count, sizeof *kept);
    struct base_scratch scratch = base_scratch_begin(b->cx);
    struct pass_bounds_kernel keeping = *kernel;
    keeping.kept = base_alloc_array(b->cx, count, sizeof *keeping.kept);
    keeping.keeps = true;
    struct pass_bounds found = pass_prove_bounds(&keeping);
    for (ir_var v = 1; v < count; v++)
        kept[v] = (struct wgsl_kept){keeping.kept[v].known, keeping.kept[v].lo, keeping.kept[v].hi};
    base_scratch_end(b->cx, &scratch);
    if (!found.proven && (!found.limits || found.limits >= limits)) return false;
    in->kept = kept;
    return true;
}

bool compile_prove(struct compile_builder *b, struct compile_kernel *k, struct wgsl_input *in,
                   const struct wgsl_output *text, const struct plan_binding *bindings, bool *out_again) {
    const struct ir_unit *u = k->unit;
    *out_again = false;
    if (!u->proves_bounds) return false;
    bool *packed = base_alloc_array(b->cx, u->array_count, sizeof *packed);
    struct pass_range *kept = in->kept ? base_alloc_array(b->cx, u->var_count, sizeof *kept) : NULL;
    for (ir_var v = 1; v < u->var_count && kept; v++)
        kept[v] = (struct pass_range){in->kept[v].lo, in->kept[v].hi, in->kept[v].known};
    struct base_scratch scratch = base_scratch_begin(b->cx);
    struct pass_bounds_kernel kernel = {.unit = k->rung->grid && k->grid ? k->rung->grid : k->rung->unit,
                                        .stmt = k->stmt,
                                        .stop = k->stop,
                                        .sequential = k->sequential,
                                        .grid = k->grid,
                                        .guard = k->guard,
                                        .workgroup_size = in->workgroup_size,
                                        .restored = text->restored,
                                        .clamped = text->clamped,
                                        .kept = kept,
                                        .packed = packed};
    if (kernel.unit != u) base_bug(b->cx, "a kernel of no unit of its rung");
    ir_array outside = 0;
    for (ir_array a = 1; a < u->array_count; a++) {
        if (in->places[a].slot == WGSL_NONE) continue;
        const struct plan_array *array = &b->plan->arrays[k->rung->array_index[a]];
        packed[a] = whorl_dtype_size(array->dtype) < 4 && !array->wide;
        if (!fits_buffer(b, &in->places[a], array, &bindings[in->places[a].slot])) outside = outside ? outside : a;
    }
    struct pass_bounds found = pass_prove_bounds(&kernel);
    base_scratch_end(b->cx, &scratch);
    if (found.limits && !outside && text->restored && !in->kept && keep_restored(b, &kernel, found.limits, in)) {
        *out_again = true;
        return false;
    }
    if (found.limits && !outside) {
        if (k->limited.limits) base_bug(b->cx, "an index that is not proven although it has a limit");
        k->limited = found;
        kernel.clamps = *out_again = true;
        pass_prove_bounds(&kernel); // new expressions stay in the unit: not in the scratch
        return false;
    }
    if (found.proven && outside) found = (struct pass_bounds){.array = outside, .why = "the size of"};
    if (compile_is_single(k)) explain(b, k, &found);
    return found.proven;
}
