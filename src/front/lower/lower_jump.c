// break, continue and return in a form that has only loops and their own jumps.
//
// A jump to the innermost IR loop is that loop's BREAK or CONTINUE. Any other jump raises its target's flag; if IR
// loops lie between, it leaves the innermost one, and behind each of them the flag is asked and the jump goes on. What
// follows in the lists in between is guarded by the flag (lower_list). Flags that nobody asks are taken out again.
#include "front/lower/lower.h"

uint32_t lower_push_target(struct lower *lw, enum lower_target_kind kind, bool is_loop, base_loc loc) {
    if (lw->target_count == 64) base_unsupported(lw->cx, loc, "loops, switches and calls are nested too deeply");
    struct lower_target *t = &lw->targets[lw->target_count];
    *t = (struct lower_target){.kind = (uint8_t)kind, .is_loop = is_loop, .depth = lw->loop_depth};
    t->clear = ir_add_stmt(lw->u, IR_NOP, loc);
    lower_emit(lw, t->clear);
    return lw->target_count++;
}

static void drop(struct lower *lw, ir_stmt s) {
    lw->u->stmts[s].kind = IR_NOP;
    lw->u->stmts[s].nop.mark = IR_MARK_NONE;
}

void lower_pop_target(struct lower *lw, uint32_t target) {
    struct lower_target *t = &lw->targets[target];
    lw->target_count = target;
    if (t->flag_read) return;
    drop(lw, t->clear);
    for (uint32_t i = 0; i < t->set_count; i++)
        drop(lw, t->sets[i]);
}

static ir_expr read_flag(struct lower *lw, uint32_t target, base_loc loc) {
    struct lower_target *t = &lw->targets[target];
    t->flag_read = true;
    return ir_var_read(lw->u, t->flag, loc);
}

static void raise_flag(struct lower *lw, uint32_t target, base_loc loc) {
    static const char *const names[] = {"broke", "continued", "returned"};
    struct lower_target *t = &lw->targets[target];
    if (!t->flag) {
        t->flag = lower_new_var(lw, names[t->kind], IR_BOOL, lw->in_parfor ? IR_VAR_LOCAL : IR_VAR_ENTRY, loc);
        struct ir_stmt_node *clear = &lw->u->stmts[t->clear];
        ir_expr no = lower_bool(lw, false);
        clear->kind = IR_ASSIGN;
        clear->assign.var = t->flag;
        clear->assign.value = no;
    }
    ir_stmt set = ir_assign(lw->u, t->flag, lower_bool(lw, true), loc);
    BASE_RESERVE(lw->cx, t->sets, t->set_count, t->set_cap);
    t->sets[t->set_count++] = set;
    lower_emit(lw, set);
}

struct lower_flow lower_jump(struct lower *lw, uint32_t target, base_loc loc) {
    struct lower_target *t = &lw->targets[target];
    if (t->blocked) {
        base_error(lw->cx, loc, "a jump must not leave a parallel loop");
        return (struct lower_flow){.falls = false};
    }
    t->used = true;
    if (t->is_loop && t->depth == lw->loop_depth) {
        lower_emit(lw, ir_add_stmt(lw->u, t->kind == LOWER_TO_BREAK ? IR_BREAK : IR_CONTINUE, loc));
        return (struct lower_flow){.falls = false};
    }
    raise_flag(lw, target, loc);
    if (lw->loop_depth > t->depth) {
        lw->escapes[lw->loop_depth] |= 1ull << target;
        lower_emit(lw, ir_add_stmt(lw->u, IR_BREAK, loc));
        return (struct lower_flow){.falls = false};
    }
    return (struct lower_flow){.falls = false, .pending = 1ull << target};
}

ir_expr lower_flags(struct lower *lw, lower_targets set, base_loc loc) {
    ir_expr any = lower_bool(lw, false);
    for (uint32_t i = 0; i < lw->target_count; i++)
        if (set >> i & 1) any = lower_fold2(lw, IR_LOR, any, read_flag(lw, i, loc), loc);
    return any;
}

void lower_open_loop(struct lower *lw, base_loc loc) {
    if (lw->loop_depth == 63) base_unsupported(lw->cx, loc, "loops are nested too deeply");
    lw->escapes[++lw->loop_depth] = 0;
}

lower_targets lower_close_loop(struct lower *lw, base_loc loc) {
    lower_targets set = lw->escapes[lw->loop_depth--], pending = 0;
    for (uint32_t i = 0; i < lw->target_count; i++) {
        struct lower_target *t = &lw->targets[i];
        if (!(set >> i & 1)) continue;
        bool here = t->is_loop && t->depth == lw->loop_depth;
        if (!here && lw->loop_depth <= t->depth) {
            pending |= 1ull << i;
            continue;
        }
        ir_stmt jump = ir_add_stmt(lw->u, here && t->kind == LOWER_TO_CONTINUE ? IR_CONTINUE : IR_BREAK, loc);
        if (!here) lw->escapes[lw->loop_depth] |= 1ull << i;
        ir_expr flag = read_flag(lw, i, loc);
        lower_emit(lw, ir_if(lw->u, flag, jump, 0, loc));
    }
    return pending;
}
