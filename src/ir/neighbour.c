// What lanes of a team exchange (NEIGHBOUR).
#include "ir/ir.h"

void ir_neighbour_words(const struct ir_unit *u, ir_stmt parfor, uint32_t most[IR_F32 + 1]) {
    if (!(u->stmts[parfor].flags & IR_FLAG_TEAM)) return;
    for (ir_stmt s = u->stmts[parfor].parfor.body; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        if (n->kind != IR_NEIGHBOUR) continue;
        uint8_t type = u->vars[n->neighbour.var].type;
        uint32_t words = (n->neighbour.slot + 1) * u->stmts[parfor].parfor.lanes;
        if (words > most[type]) most[type] = words;
    }
}

bool ir_exchanges(const struct ir_unit *u, ir_stmt parfor) {
    uint32_t words[IR_F32 + 1] = {0};
    ir_neighbour_words(u, parfor, words);
    for (int type = 0; type <= IR_F32; type++)
        if (words[type]) return true;
    return false;
}

uint32_t ir_neighbour_all(const struct ir_unit *u) {
    uint32_t most[IR_F32 + 1] = {0}, all = 0;
    for (ir_stmt s = 1; s < u->stmt_count; s++)
        if (u->stmts[s].kind == IR_PARFOR) ir_neighbour_words(u, s, most);
    for (int type = 0; type <= IR_F32; type++)
        all += most[type];
    return all;
}
