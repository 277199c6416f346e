// Exchanges of lanes (AGREE) take the longest of what an iteration on several lanes does, and each of their steps waits
// for the one before it. Where several stand in a block, as in passes of a loop side by side, they become neighbours as
// far as nothing between them needs their results: then the emitter makes the same step of all of them, one after the
// other (emit_lanes.c), and the lanes wait once.
//
// The law: a statement goes in front of others that neither write what it reads or writes nor read what it writes
// (pass_effects_apart).
#include "pass/passes.h"

struct held {
    ir_stmt s;
    struct ir_effects fx;
};
struct row {
    struct held *items;
    uint32_t count;
};

static bool is_apart(const struct row *row, const struct ir_effects *fx) {
    for (uint32_t i = 0; i < row->count; i++)
        if (!pass_effects_apart(&row->items[i].fx, fx)) return false;
    return true;
}

static void put(struct row *row, const struct held *h) { row->items[row->count++] = *h; }

ir_stmt pass_agree_last(struct ir_unit *u, ir_stmt block) {
    uint32_t count = 0, agrees = 0;
    for (ir_stmt s = block; s; s = u->stmts[s].next, count++)
        agrees += u->stmts[s].kind == IR_AGREE;
    if (agrees < 2) return block;
    struct row early = {0}, exchanges = {0}, late = {0};
    struct row *rows[] = {&early, &exchanges, &late};
    for (int i = 0; i < 3; i++)
        rows[i]->items = base_alloc_array(u->cx, count, sizeof *rows[i]->items);
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        struct held h = {s, ir_effects_of_one(u, s)};
        bool moves = is_apart(&late, &h.fx);
        if (moves && u->stmts[s].kind == IR_AGREE && is_apart(&exchanges, &h.fx))
            put(&exchanges, &h);
        else if (moves && is_apart(&exchanges, &h.fx))
            put(&early, &h);
        else
            put(&late, &h);
    }
    ir_stmt out = 0;
    for (int i = 0; i < 3; i++)
        for (uint32_t k = 0; k < rows[i]->count; k++) {
            u->stmts[rows[i]->items[k].s].next = 0;
            ir_append(u, &out, rows[i]->items[k].s);
        }
    return out;
}
