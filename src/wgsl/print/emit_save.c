// The state of a paused iteration, to memory and from it.
//
// Layout: word 0 is the resume point's number, then variables in order of their handles, bounds of loops, arrays. Word
// w of iteration k stands at w * count + k, so that neighbours write to neighbouring words. Of an iteration on several
// lanes, each has words of its own: word w of lane l is the iteration's word w * lanes + l. They pause together.
#include "wgsl/print/emit.h"

static const char *place(struct wgsl_emitter *e, uint32_t word) {
    return e->lane_count > 1 ? base_format(e->cx, "saved[(%uu + lane) * params[0].y + k]", word * e->lane_count)
                             : base_format(e->cx, "saved[%uu * params[0].y + k]", word);
}

const char *wgsl_limit(struct wgsl_emitter *e, const struct ir_stmt_node *loop) {
    return base_format(e->cx, "limit%u", loop->counted.resume_point);
}

// Within [lo, hi], at a value that the loop comes to from its start.
static void put_within(struct wgsl_emitter *e, ir_var v, int64_t lo, int64_t hi, int32_t step) {
    enum ir_type type = (enum ir_type)e->u->vars[v].type;
    const char *name = e->names[v], *least = wgsl_const(e, type, (uint32_t)lo),
               *most = wgsl_const(e, type, (uint32_t)hi), *suffix = type == IR_U32 ? "u" : "";
    wgsl_line(e, "%s = clamp(%s, %s, %s);", name, name, least, most);
    if (step > 1)
        wgsl_line(e, "%s -= (%s - %s) %% %u%s;", name, name, least, (uint32_t)step, suffix);
    else if (step < -1)
        wgsl_line(e, "%s += (%s - %s) %% %u%s;", name, most, name, 0u - (uint32_t)step, suffix);
}

void wgsl_clamp_restored(struct wgsl_emitter *e, ir_var v) {
    int64_t first, last;
    uint32_t start;
    const struct ir_stmt_node *loop = wgsl_counted_by(e->k, v, &first, &last);
    const struct wgsl_kept *kept = e->in->kept ? &e->in->kept[v] : NULL;
    if (loop) {
        put_within(e, v, first < last ? first : last, first < last ? last : first, loop->counted.step);
    } else if (kept && kept->known) {
        loop = wgsl_loop_of(e->k, v);
        bool is_aligned = loop && ir_is_const(e->u, loop->counted.lo, &start);
        put_within(e, v, kept->lo, kept->hi, is_aligned ? loop->counted.step : 1);
    }
}

void wgsl_clamp_limit(struct wgsl_emitter *e, const struct ir_stmt_node *loop) {
    const struct wgsl_kept *kept = e->in->kept ? &e->in->kept[loop->counted.var] : NULL;
    if (!kept || !kept->known) return;
    enum ir_type type = (enum ir_type)e->u->vars[loop->counted.var].type;
    const char *limit = wgsl_limit(e, loop);
    wgsl_line(e, "%s = min(%s, %s);", limit, limit, wgsl_const(e, type, (uint32_t)(kept->hi + 1)));
}

// `saves`: to memory; else from it. Both go through the same order of words.
static void transfer(struct wgsl_emitter *e, bool saves) {
    uint32_t word = 1;
    for (ir_var v = 1; v < e->u->var_count; v++) {
        if (!e->k->saved.vars[v]) continue;
        enum ir_type type = (enum ir_type)e->u->vars[v].type;
        const char *name = e->names[v], *where = place(e, word++);
        wgsl_line(e, "%s = %s;", saves ? where : name,
                  saves ? wgsl_to_bits(e, type, name) : wgsl_from_bits(e, type, where));
        if (!saves) wgsl_clamp_restored(e, v);
    }
    for (ir_stmt s = 1; s < e->u->stmt_count; s++) {
        if (!e->k->saved.limits[s]) continue;
        const struct ir_stmt_node *n = &e->u->stmts[s];
        enum ir_type type = (enum ir_type)e->u->vars[n->counted.var].type;
        const char *name = wgsl_limit(e, n), *where = place(e, word++);
        wgsl_line(e, "%s = %s;", saves ? where : name,
                  saves ? wgsl_to_bits(e, type, name) : wgsl_from_bits(e, type, where));
        if (!saves) wgsl_clamp_limit(e, n);
    }
    for (ir_array a = 1; a < e->u->array_count; a++) {
        if (!e->k->saved.arrays[a]) continue;
        enum ir_type type = ir_elem_type((enum whorl_dtype)e->u->arrays[a].elem);
        uint32_t count = wgsl_array_count(e->k, a);
        const char *item = base_format(e->cx, "%s[w]", e->array_names[a]);
        const char *where = e->lane_count > 1 ? base_format(e->cx, "saved[((%uu + w) * %uu + lane) * params[0].y + k]",
                                                            word, e->lane_count)
                                              : base_format(e->cx, "saved[(%uu + w) * params[0].y + k]", word);
        wgsl_line(e, "for (var w = 0u; w < %uu; w += 1u) {", count);
        e->indent++;
        wgsl_line(e, "%s = %s;", saves ? where : item,
                  saves ? wgsl_to_bits(e, type, item) : wgsl_from_bits(e, type, where));
        e->indent--;
        wgsl_line(e, "}");
        word += count;
    }
}

void wgsl_restore(struct wgsl_emitter *e) {
    for (ir_stmt s = 1; s < e->u->stmt_count; s++) {
        const struct ir_stmt_node *n = &e->u->stmts[s];
        if (e->k->saved.limits[s])
            wgsl_line(e, "var %s: %s;", wgsl_limit(e, n), ir_type_name((enum ir_type)e->u->vars[n->counted.var].type));
    }
    wgsl_line(e, "if (params[0].w != 0u) {");
    e->indent++;
    wgsl_line(e, "rp = %s;", place(e, 0));
    wgsl_line(e, "if (rp != " WGSL_DONE ") {");
    e->indent++;
    transfer(e, false);
    e->indent--;
    wgsl_line(e, "}");
    e->indent--;
    wgsl_line(e, "}");
}

// Without a limit nothing should pause and nobody resumes: then memory is left alone, as there may be no room in it.
void wgsl_save(struct wgsl_emitter *e) {
    wgsl_line(e, "if (next_rp != 0u) {");
    e->indent++;
    wgsl_line(e, "if (params[0].z != 0xffffffffu) {");
    e->indent++;
    wgsl_line(e, "%s = next_rp;", place(e, 0));
    transfer(e, true);
    e->indent--;
    wgsl_line(e, "}");
    if (e->lane_count > 1)
        wgsl_line(e, "if (lane == 0u) { atomicAdd(&group_paused, 1u); }");
    else
        wgsl_line(e, "atomicAdd(&group_paused, 1u);");
    e->indent--;
    wgsl_line(e, "} else if (params[0].z != 0xffffffffu) {");
    e->indent++;
    wgsl_line(e, "%s = " WGSL_DONE ";", place(e, 0));
    e->indent--;
    wgsl_line(e, "}");
    wgsl_line(e, "atomicMax(&group_ticks, params[0].z - left);");
}
