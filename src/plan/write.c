// A plan as JSON text (docs/plan.md). What plan_read makes of the text writes as the same text again.
#include <inttypes.h>
#include <string.h>

#include "base/dtype.h"
#include "plan/spelling.h"

static void put_string(struct base_text *t, const char *text) {
    base_text_put(t, "\"");
    for (const char *from = text ? text : "";;) {
        size_t plain = 0;
        while ((unsigned char)from[plain] >= 0x20 && from[plain] != '"' && from[plain] != '\\')
            plain++;
        base_text_add(t, from, plain);
        from += plain;
        if (!*from) break;
        if (*from == '"' || *from == '\\')
            base_text_format(t, "\\%c", *from);
        else if (*from == '\n')
            base_text_put(t, "\\n");
        else
            base_text_format(t, "\\u%04x", (unsigned char)*from);
        from++;
    }
    base_text_put(t, "\"");
}

static void put_expr(struct base_text *t, const struct plan *p, plan_expr e) {
    const struct plan_expr_node *node = &p->exprs[e];
    if (node->op == PLAN_CONST) {
        base_text_format(t, "%" PRId64, node->value);
    } else if (node->op == PLAN_SCALAR) {
        base_text_format(t, "[\"scalar\",%" PRIu32 "]", node->a);
    } else {
        base_text_format(t, "[\"%s\",", plan_op_names[node->op]);
        put_expr(t, p, node->a);
        base_text_put(t, ",");
        put_expr(t, p, node->b);
        base_text_put(t, "]");
    }
}

static const char *bool_text(bool value) { return value ? "true" : "false"; }

static void put_scalars(struct base_text *t, const struct plan *p) {
    for (uint32_t i = 0; i < p->scalar_count; i++) {
        const struct plan_scalar *s = &p->scalars[i];
        base_text_put(t, i ? ",\n  {\"name\":" : "\n  {\"name\":");
        put_string(t, s->name);
        base_text_format(t, ",\"kind\":\"%s\",\"type\":\"%s\",\"bits\":%" PRIu32, plan_scalar_kind_names[s->kind],
                         whorl_dtype_name(s->dtype), s->bits);
        if (s->dtype == WHORL_F64) base_text_format(t, ",\"low\":%" PRIu32, s->low);
        if (base_dtype_is_long(s->dtype)) base_text_format(t, ",\"high\":%" PRIu32, s->high);
        base_text_format(t, ",\"word\":%" PRIu32 ",\"param\":%s}", s->word, bool_text(s->is_param));
    }
}

static void put_buffers(struct base_text *t, const struct plan *p) {
    for (uint32_t i = 0; i < p->buffer_count; i++) {
        base_text_put(t, i ? ",\n  {\"name\":" : "\n  {\"name\":");
        put_string(t, p->buffers[i].name);
        base_text_put(t, ",\"size_bytes\":");
        put_expr(t, p, p->buffers[i].size_bytes);
        base_text_put(t, "}");
    }
}

static void put_words(struct base_text *t, const char *key, const uint32_t *words, uint32_t count) {
    base_text_put(t, key);
    for (uint32_t i = 0; i < count; i++)
        base_text_format(t, i ? ",%" PRIu32 : "%" PRIu32, words[i]);
    base_text_put(t, "]");
}

static void put_pairs(struct base_text *t, const struct plan_array *a) {
    if (a->pair_run_count)
        put_words(t, ",\"pairs\":[", a->pair_runs, 2 * a->pair_run_count);
    else
        base_text_put(t, ",\"pairs\":true");
}

static void put_arrays(struct base_text *t, const struct plan *p) {
    for (uint32_t i = 0; i < p->array_count; i++) {
        const struct plan_array *a = &p->arrays[i];
        base_text_put(t, i ? ",\n  {\"name\":" : "\n  {\"name\":");
        put_string(t, a->name);
        base_text_format(t, ",\"kind\":\"%s\",\"type\":\"%s\",\"dims\":[", plan_array_kind_names[a->kind],
                         whorl_dtype_name(a->dtype));
        for (uint32_t d = 0; d < a->ndims; d++) {
            base_text_put(t, d ? "," : "");
            put_expr(t, p, a->dims[d]);
        }
        base_text_format(t, "],\"buffer\":%" PRIu32 ",\"offset_bytes\":", a->buffer);
        put_expr(t, p, a->offset_bytes);
        if (a->wide) base_text_put(t, ",\"wide\":true");
        if (a->pairs) put_pairs(t, a);
        if (a->longs) base_text_format(t, ",\"longs\":\"%s\"", whorl_dtype_name(a->longs));
        if (a->anew) base_text_put(t, ",\"anew\":true");
        if (a->exact) base_text_put(t, ",\"exact\":true");
        if (a->kind == PLAN_TABLE) put_words(t, ",\"data\":[", a->data, a->data_words);
        base_text_put(t, "}");
    }
}

static void put_grid(struct base_text *t, const struct plan *p, const struct plan_grid *grid) {
    base_text_put(t, ",\n   \"grid\":{\"widest\":");
    put_expr(t, p, grid->widest);
    base_text_format(t, ",\"chunk\":%" PRIu32, grid->chunk);
    base_text_format(t, ",\"tick_barriers\":%" PRIu32 ",\"step_barriers\":%" PRIu32 ",\"saved\":[", grid->tick_barriers,
                     grid->step_barriers);
    for (uint32_t w = 0; w < grid->saved_count; w++)
        base_text_format(t, "%s{\"%s\":%" PRIu32 "}", w ? "," : "", plan_saved_kind_names[grid->saved[w].kind],
                         grid->saved[w].index);
    base_text_put(t, "]}");
}

static void put_kernels(struct base_text *t, const struct plan *p) {
    for (uint32_t i = 0; i < p->kernel_count; i++) {
        const struct plan_kernel *k = &p->kernels[i];
        base_text_put(t, i ? ",\n  {\"name\":" : "\n  {\"name\":");
        put_string(t, k->name);
        base_text_put(t, ",\"origin\":");
        put_string(t, k->origin);
        base_text_format(t, ",\"workgroup_size\":%" PRIu32 ",\"iterations\":", k->workgroup_size);
        put_expr(t, p, k->iterations);
        base_text_put(t, ",\"bindings\":[");
        for (uint32_t b = 0; b < k->binding_count; b++)
            base_text_format(t, "%s{\"buffer\":%" PRIu32 ",\"writable\":%s}", b ? "," : "", k->bindings[b].buffer,
                             bool_text(k->bindings[b].writable));
        base_text_put(t, "]");
        if (k->lists_sets) put_words(t, ",\"sets\":[", k->sets, k->set_count);
        if (k->lanes > 1) base_text_format(t, ",\"lanes\":%" PRIu32, k->lanes);
        if (k->rounds > 1) base_text_format(t, ",\"rounds\":%" PRIu32, k->rounds);
        if (k->subgroup) base_text_format(t, ",\"subgroup\":%" PRIu32, k->subgroup);
        if (k->coherent) base_text_format(t, ",\"coherent\":true");
        if (k->float_atomics) base_text_format(t, ",\"float_atomics\":true");
        base_text_format(t, ",\"resume_words\":%" PRIu32 ",\"ticks\":%" PRIu64 ",\"tick_loops\":%" PRIu32,
                         k->resume_words, k->ticks, k->tick_loops);
        base_text_format(t, ",\"one_group\":%s,\"range_sliceable\":%s", bool_text(k->one_group),
                         bool_text(k->range_sliceable));
        if (k->grid) put_grid(t, p, k->grid);
        base_text_put(t, ",\n   \"wgsl\":");
        put_string(t, k->wgsl);
        base_text_put(t, "}");
    }
}

static void put_node(struct base_text *t, const struct plan *p, const struct plan_node *node) {
    if (node->kind == PLAN_DISPATCH) {
        base_text_format(t, "{\"dispatch\":%" PRIu32 "}", node->kernel);
        return;
    }
    if (node->kind == PLAN_SEQ) {
        base_text_put(t, "{\"seq\":[");
    } else if (node->kind == PLAN_WHILE) {
        base_text_format(t, "{\"while\":%" PRIu32, node->word);
    } else {
        base_text_format(t, "{\"loop\":%" PRIu32 ",\"lo\":", node->scalar);
        put_expr(t, p, node->lo);
        base_text_put(t, ",\"count\":");
        put_expr(t, p, node->count);
        base_text_format(t, ",\"step\":%" PRId32, node->step);
    }
    if (node->resume) base_text_format(t, ",\"resume\":%" PRIu32, node->resume);
    if (node->kind != PLAN_SEQ) base_text_put(t, ",\"body\":[");
    for (uint32_t i = 0; i < node->child_count; i++) {
        base_text_put(t, i ? "," : "");
        put_node(t, p, &node->children[i]);
    }
    base_text_put(t, "]}");
}

static void put_strategy(struct base_text *t, const struct plan *p, const char *name, const struct plan_strategy *s) {
    base_text_format(t, ",\n \"%s\":{\"note\":", name);
    put_string(t, s->note);
    base_text_format(t, ",\"same_as_steps\":%s", bool_text(s->same_as_steps));
    if (s->again_bytes) base_text_format(t, ",\"again_bytes\":%" PRIu64, s->again_bytes);
    if (s->waits) base_text_format(t, ",\"waits\":%" PRIu64, s->waits);
    if (s->exists) {
        base_text_put(t, ",\"root\":");
        put_node(t, p, &s->root);
    }
    if (s->exists && s->fallback) {
        base_text_put(t, ",\"fallback\":");
        put_node(t, p, s->fallback);
    }
    base_text_put(t, "}");
}

static void put_params(struct base_text *t, const struct plan *p) {
    for (uint32_t i = 0; i < p->param_count; i++)
        base_text_format(t, "%s{\"%s\":%" PRIu32 "}", i ? "," : "", p->params[i].is_array ? "array" : "scalar",
                         p->params[i].index);
}

static void put_log(struct base_text *t, const struct plan_log *log) {
    base_text_format(t, ",\n \"log\":{\"array\":%" PRIu32 ",\"first\":%" PRIu32 ",\"sites\":[", log->array, log->first);
    for (uint32_t i = 0; i < log->site_count; i++) {
        const struct plan_log_site *s = &log->sites[i];
        base_text_format(t, "%s\n  {\"%s\":", i ? "," : "", s->is_assert ? "assert" : "print");
        put_string(t, s->text);
        base_text_put(t, ",\"origin\":");
        put_string(t, s->origin);
        base_text_format(t, ",\"order\":%" PRIu32 ",\"parallel\":%" PRIu32 ",\"loops\":[", s->order, s->parallel);
        for (uint32_t k = 0; k < s->loop_count; k++) {
            base_text_put(t, k ? ",{\"name\":" : "{\"name\":");
            put_string(t, s->loops[k].name);
            base_text_format(t, ",\"order\":%" PRIu32 ",\"unsigned\":%s,\"down\":%s}", s->loops[k].order,
                             bool_text(s->loops[k].is_unsigned), bool_text(s->loops[k].down));
        }
        base_text_put(t, "],\"args\":[");
        for (uint32_t k = 0; k < s->arg_count; k++)
            base_text_format(t, "%s\"%s\"", k ? "," : "", whorl_dtype_name(s->args[k]));
        base_text_put(t, "]}");
    }
    base_text_put(t, "]}");
}

const char *plan_write(struct base_cx *cx, const struct plan *p, size_t *out_size) {
    struct base_text text, *t = &text;
    base_text_init(t, cx);
    base_text_format(t, "{\n \"whorl_plan\":%d,\n \"entry\":", PLAN_VERSION);
    put_string(t, p->entry);
    base_text_put(t, ",\n \"profile\":");
    put_string(t, p->profile);
    base_text_format(t, ",\n \"param_words\":%" PRIu32, p->param_words);
    if (p->state_buffer != UINT32_MAX) base_text_format(t, ",\n \"state_buffer\":%" PRIu32, p->state_buffer);
    base_text_put(t, ",\n \"scalars\":[");
    put_scalars(t, p);
    base_text_put(t, "],\n \"buffers\":[");
    put_buffers(t, p);
    base_text_put(t, "],\n \"arrays\":[");
    put_arrays(t, p);
    base_text_put(t, "],\n \"params\":[");
    put_params(t, p);
    base_text_put(t, "],\n \"kernels\":[");
    put_kernels(t, p);
    base_text_put(t, "]");
    if (p->log) put_log(t, p->log);
    put_strategy(t, p, "single", &p->single);
    put_strategy(t, p, "steps", &p->steps);
    put_strategy(t, p, "eager", &p->eager);
    base_text_put(t, "\n}\n");
    if (out_size) *out_size = text.size;
    return text.data;
}
