// Variables of the entry level that only stores of sequential code read, as a swap's:
//
//   t = x[k];  x[k] = x[p];  x[p] = t;
//
// Invocation 0 makes these stores, so that it alone need have the value, and no barrier stands between the load and a
// store to its element.
#include "pass/grid/sync.h"

struct keeper {
    struct ir_unit *u;
    const bool *kept;    // as far as known
    uint32_t *by_keeper; // by variable: reads of it in stores, and in assignments to variables that are kept
};

static void count_block(struct keeper *x, ir_stmt block) {
    struct ir_unit *u = x->u;
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node n = u->stmts[s];
        if (n.kind == IR_STORE || (n.kind == IR_ASSIGN && x->kept[n.assign.var])) {
            u->stmts[s].next = 0;
            pass_count_reads(u, s, x->by_keeper);
            u->stmts[s].next = n.next;
        }
        ir_stmt inner[2];
        uint32_t blocks = pass_is_leaf(u, s) ? 0 : ir_blocks_of(&n, inner);
        for (uint32_t i = 0; i < blocks; i++)
            count_block(x, inner[i]);
    }
}

const bool *pass_find_kept(struct ir_unit *u) {
    uint32_t *reads = base_alloc_array(u->cx, u->var_count, sizeof *reads);
    bool *kept = base_alloc_array(u->cx, u->var_count, sizeof *kept);
    pass_count_reads(u, u->root, reads);
    for (ir_var v = 1; v < u->var_count; v++)
        kept[v] = u->vars[v].klass == IR_VAR_ENTRY && reads[v] > 0;
    for (bool changes = true; changes;) {
        struct keeper x = {u, kept, base_alloc_array(u->cx, u->var_count, sizeof *reads)};
        count_block(&x, u->root);
        changes = false;
        for (ir_var v = 1; v < u->var_count; v++) {
            changes |= kept[v] && x.by_keeper[v] < reads[v];
            kept[v] &= x.by_keeper[v] == reads[v];
        }
    }
    return kept;
}
