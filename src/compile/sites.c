// What the program says: the unit's sites as the plan has them. The log itself is a scratch array like any other.
#include "compile/build.h"

static enum whorl_dtype arg_type(uint8_t type) {
    switch (type) {
    case IR_F32: return WHORL_F32;
    case IR_U32: return WHORL_U32;
    case IR_LOG_I64: return WHORL_I64;
    case IR_LOG_U64: return WHORL_U64;
    case IR_LOG_F64: return WHORL_F64;
    default: return WHORL_I32;
    }
}

void compile_log(struct compile_builder *b) {
    const struct ir_unit *u = b->base;
    struct base_cx *cx = b->cx;
    if (!u->log || b->rungs[0].array_index[u->log] == UINT32_MAX) return; // no kernel says anything
    struct plan_log *log = base_alloc(cx, sizeof *log);
    log->array = b->rungs[0].array_index[u->log];
    log->first = IR_LOG_FIRST;
    log->site_count = u->log_count;
    log->sites = base_alloc_array(cx, u->log_count, sizeof *log->sites);
    for (uint32_t i = 0; i < u->log_count; i++) {
        const struct ir_log_site *from = &u->log_sites[i];
        struct plan_log_site *to = &log->sites[i];
        *to = (struct plan_log_site){.is_assert = from->is_assert,
                                     .text = from->text,
                                     .order = from->order,
                                     .loop_count = from->loop_count,
                                     .parallel = from->parallel,
                                     .arg_count = from->arg_count};
        to->origin = base_place(cx, from->loc);
        to->loops = base_alloc_array(cx, from->loop_count + 1, sizeof *to->loops);
        for (uint32_t k = 0; k < from->loop_count; k++)
            to->loops[k] = (struct plan_log_loop){from->loops[k].name, from->loops[k].order,
                                                  from->loops[k].type == IR_U32, from->loops[k].down};
        to->args = base_alloc_array(cx, from->arg_count + 1, sizeof *to->args);
        for (uint32_t k = 0; k < from->arg_count; k++)
            to->args[k] = arg_type(from->args[k]);
    }
    b->plan->log = log;
}
