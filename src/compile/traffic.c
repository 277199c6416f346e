// Work and memory traffic: what a rung's dispatches read and write of whole arrays, in bytes and in units of the
// largest array. A dispatch that touches an array counts it once for reading and once for writing; what an iteration
// reads again is the cache's business.
#include "compile/build.h"

static double bytes_of(const struct plan *p, const struct plan_array *a) {
    double bytes = (double)whorl_dtype_size(a->dtype);
    for (uint32_t d = 0; d < a->ndims; d++) {
        if (p->exprs[a->dims[d]].op != PLAN_CONST) return 0; // not known before the run
        bytes *= (double)p->exprs[a->dims[d]].value;
    }
    return bytes;
}

static double kernel_bytes(const struct compile_builder *b, const struct compile_kernel *k, double *largest) {
    double sum = 0;
    for (ir_array a = 1; a < k->unit->array_count; a++) {
        bool read = ir_bit(k->effects.arrays_read, a), written = ir_bit(k->effects.arrays_written, a);
        if ((!read && !written) || !ir_in_buffer(k->unit, a) || a == k->unit->log) continue;
        double bytes = bytes_of(b->plan, &b->plan->arrays[k->rung->array_index[a]]);
        *largest = bytes > *largest ? bytes : *largest;
        sum += bytes * (read + written);
    }
    return sum;
}

static double tree_bytes(const struct compile_builder *b, const struct plan_node *node, double *largest) {
    if (node->kind == PLAN_DISPATCH) return kernel_bytes(b, &b->kernels[node->kernel], largest);
    double sum = 0, times = 1;
    for (uint32_t i = 0; i < node->child_count; i++)
        sum += tree_bytes(b, &node->children[i], largest);
    if (node->kind == PLAN_LOOP)
        times = b->plan->exprs[node->count].op == PLAN_CONST ? (double)b->plan->exprs[node->count].value : 0;
    return sum * times;
}

static void explain_work(struct compile_builder *b, const struct whorl_work *w) {
    base_text_format(b->explain, "work of a run%s:", w->is_exact ? "" : " (at least; data decide about the rest)");
    const double counts[] = {w->float_ops, w->functions, w->integer_ops};
    static const char *const words[] = {"operations on floats", "functions of math.h", "operations on integers"};
    const char *comma = "";
    for (int k = 0; k < 3; k++) {
        if (counts[k] == 0) continue;
        base_text_format(b->explain, "%s %.4g %s", comma, counts[k], words[k]);
        comma = ",";
    }
    base_text_format(b->explain, "%s %.4g bytes of arrays\n", comma, w->bytes);
}

const struct whorl_work *compile_explain_traffic(struct compile_builder *b) {
    const struct plan_strategy *rungs[] = {&b->plan->eager, &b->plan->steps, &b->plan->single};
    static const char *const names[] = {"eager", "steps", "single"}, *const units[] = {"bytes", "KB", "MB", "GB"};
    double largest = 0, bytes[3] = {0};
    for (int k = 0; k < 3; k++)
        if (rungs[k]->exists)
            bytes[k] = tree_bytes(b, rungs[k]->fallback ? rungs[k]->fallback : &rungs[k]->root, &largest);
    struct ir_work counted = ir_count_work(b->base);
    struct whorl_work *work = base_alloc(b->cx, sizeof *work);
    *work = (struct whorl_work){counted.float_ops, counted.functions, counted.integer_ops,
                                b->plan->single.exists ? bytes[2] : bytes[1], counted.is_exact};
    explain_work(b, work);
    if (largest == 0) return work;
    base_text_put(b->explain, "memory traffic:");
    const char *comma = "";
    for (int k = 0; k < 3; k++) {
        if (!rungs[k]->exists) continue;
        double times = bytes[k] / largest, amount = bytes[k];
        int unit = 0;
        for (; unit < 3 && amount >= 1000; unit++)
            amount /= 1000;
        base_text_format(b->explain, "%s %s %.4g %s (%.*f x the largest array)", comma, names[k], amount, units[unit],
                         times < 100 ? 2 : 0, times);
        comma = ",";
    }
    base_text_put(b->explain, "\n");
    return work;
}
