// A branch that only chooses between two values of one variable becomes a SELECT, which needs no branch: `if (x < 0) y = -x; else y = x;`.
//
// Invocations that part at a branch wait for each other, and compilers schedule nothing across it. Only what costs little is taken, since
// both values are computed then: no element of an array, no integer division, no function of the library.
#include <string.h>

#include "pass/passes.h"

enum { MAX_OPERATIONS = 8 };

struct chooser {
    struct ir_unit *u;
    uint32_t operations; // of the values at hand
    bool is_cheap;
    uint32_t chosen;
};

static bool weigh(void *user, ir_expr e) {
    struct chooser *c = user;
    const struct ir_node *n = &c->u->nodes[e];
    if (n->op == IR_CONST || n->op == IR_VAR) return true;
    bool divides = (n->op == IR_DIV || n->op == IR_REM) && n->type != IR_F32;
    if (n->op == IR_LOAD || divides || strncmp(ir_ops[n->op].wgsl, "whorl_", 6) == 0) c->is_cheap = false;
    if (++c->operations > MAX_OPERATIONS) c->is_cheap = false;
    return c->is_cheap;
}

// The block's one statement, an assignment of something cheap; NULL where it is something else.
static const struct ir_stmt_node *only_assignment(struct chooser *c, ir_stmt block) {
    const struct ir_stmt_node *n = &c->u->stmts[block];
    if (!block || n->next || n->kind != IR_ASSIGN) return NULL;
    ir_walk_expr(c->u, n->b, weigh, c);
    return c->is_cheap ? n : NULL;
}

static void choose(struct chooser *c, ir_stmt s) {
    struct ir_unit *u = c->u;
    const struct ir_stmt_node n = u->stmts[s];
    c->operations = 0;
    c->is_cheap = true;
    const struct ir_stmt_node *yes = only_assignment(c, n.b), *no = yes ? only_assignment(c, n.c) : NULL;
    if (!no || yes->a != no->a) return;
    ir_var target = yes->a;
    ir_expr value = ir_op3(u, IR_SELECT, n.a, yes->b, no->b, n.loc);
    struct ir_stmt_node *now = &u->stmts[s];
    *now = (struct ir_stmt_node){.kind = IR_ASSIGN, .loc = n.loc, .next = n.next, .a = target, .b = value};
    c->chosen++;
}

// Branches inside of others first: they may be what makes the outer one as simple.
static void visit(struct chooser *c, ir_stmt block) {
    for (ir_stmt s = block; s; s = c->u->stmts[s].next) {
        const struct ir_stmt_node n = c->u->stmts[s];
        switch (n.kind) {
        case IR_IF:
            visit(c, n.b);
            visit(c, n.c);
            choose(c, s);
            break;
        case IR_LOOP:
            visit(c, n.b);
            visit(c, n.e);
            break;
        case IR_FOR:
        case IR_PARFOR: visit(c, n.e); break;
        default: break;
        }
    }
}

void pass_choose(struct pass_cx *p) {
    struct chooser c = {.u = p->u};
    visit(&c, p->u->root);
    if (c.chosen)
        base_text_format(p->explain, "choose: %u branch%s between two values became selections\n", c.chosen,
                         c.chosen == 1 ? "" : "es");
}
