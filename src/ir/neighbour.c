// What lanes of a team exchange (NEIGHBOUR).
#include "ir/ir.h"

ir_stmt ir_next_neighbour(const struct ir_unit *u, ir_stmt s) {
    while (s && u->stmts[s].kind != IR_NEIGHBOUR)
        s = u->stmts[s].next;
    return s;
}

void ir_neighbour_words(const struct ir_unit *u, ir_stmt parfor, uint32_t most[IR_F32 + 1]) {
    for (ir_stmt s = u->stmts[parfor].parfor.body; (s = ir_next_neighbour(u, s)); s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        uint8_t type = u->vars[n->neighbour.var].type;
        uint32_t words = (n->neighbour.slot + 1) * u->stmts[parfor].parfor.lanes;
        if (words > most[type]) most[type] = words;
    }
}

uint32_t ir_neighbour_all(const struct ir_unit *u) {
    uint32_t most[IR_F32 + 1] = {0}, all = 0;
    for (ir_stmt s = 1; s < u->stmt_count; s++)
        if (u->stmts[s].kind == IR_PARFOR) ir_neighbour_words(u, s, most);
    for (int type = 0; type <= IR_F32; type++)
        all += most[type];
    return all;
}
