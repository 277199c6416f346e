// What a compiled region does with its arrays: which it stores into, as only these come back from the device and only
// these must not share memory with others; and which of their elements it uses at all.
#include "ir/ir.h"
#include "offload/offload.h"
#include "pass/analysis/bounds.h"
#include "plan/program.h"

bool offload_find_written(const whorl_program *program, bool *out_written, int count) {
    const struct ir_unit *u = program->unit;
    if (!u || setjmp(program->cx->bail) != 0) return false;
    struct ir_effects effects = ir_effects_of(u, u->root);
    for (int i = 0; i < count && (uint32_t)i < u->param_count; i++)
        out_written[i] = u->params[i].is_array && ir_bit(effects.arrays_written, u->params[i].ref);
    return true;
}

bool offload_find_reach(const whorl_program *program, struct offload_reach *out, int count) {
    if (!program->unit || setjmp(program->cx->bail) != 0) return false;
    struct ir_unit *u = ir_unit_clone(program->unit);
    struct pass_reach *reach = base_alloc_array(program->cx, u->array_count, sizeof *reach);
    pass_find_reach(u, reach);
    for (int i = 0; i < count && (uint32_t)i < u->param_count; i++) {
        if (!u->params[i].is_array) continue;
        const struct pass_reach *r = &reach[u->params[i].ref];
        if (r->used)
            out[i] = (struct offload_reach){
                .known = r->known && r->lo >= 0, .leaves = r->leaves, .first = r->lo, .last = r->hi};
        else
            out[i] = (struct offload_reach){.known = true, .first = 0, .last = -1};
    }
    return true;
}

bool offload_has_asserts(const whorl_program *program) { return program->unit && program->unit->log_count; }
