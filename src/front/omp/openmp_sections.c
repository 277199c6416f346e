// `sections`: a loop over the numbers of the sections, whose body chooses one by `if`.
#include <string.h>

#include "front/omp/openmp.h"

enum { MOST_SECTIONS = 100 };

static bool at_section(struct front_parser *p) {
    return front_is(p, FRONT_TOK_PRAGMA) && strcmp(front_peek_at(p, 1)->text, "section") == 0;
}

// The statements up to the next section or the end of the block. The first section needs no directive.
static struct front_node *parse_section(struct front_parser *p) {
    struct front_node *block = front_node(p, FRONT_BLOCK, p->at), **end = &block->a;
    if (at_section(p)) {
        front_next(p);
        front_next(p);
        front_expect(p, FRONT_TOK_PRAGMA_END, "'#pragma omp section'");
    }
    front_open_scope(p);
    while (!at_section(p) && !front_is(p, FRONT_P_RBRACE) && !front_is(p, FRONT_TOK_END)) {
        *end = front_parse_statement(p);
        while (*end)
            end = &(*end)->next;
    }
    front_close_scope(p);
    front_set_height(p, block);
    return block;
}

static struct front_node *name(struct front_parser *p, struct front_symbol *symbol, uint32_t token) {
    struct front_node *n = front_expr(p, FRONT_VAR, token, symbol->type, NULL, NULL);
    n->symbol = symbol;
    return n;
}

static struct front_node *compare(struct front_parser *p, enum front_op op, struct front_symbol *symbol, uint32_t with,
                                  uint32_t token) {
    struct front_node *number = front_int_node(p, FRONT_I32, with, token);
    return front_condition(p, front_build_binary(p, op, name(p, symbol, token), number, token), "a section");
}

struct front_node *front_parse_section_blocks(struct front_parser *p, struct front_omp *omp) {
    uint32_t token = p->at, count = 0;
    struct front_node *blocks[MOST_SECTIONS], *choice = NULL;
    front_expect(p, FRONT_P_LBRACE, "'sections'");
    while (!front_is(p, FRONT_P_RBRACE) && !front_is(p, FRONT_TOK_END)) {
        if (count == MOST_SECTIONS) base_unsupported(p->cx, omp->loc, "more than %d sections", MOST_SECTIONS);
        blocks[count++] = parse_section(p);
    }
    front_expect(p, FRONT_P_RBRACE, "the sections");
    if (!count) base_fatal(p->cx, omp->loc, "'%s' has no section", omp->words);
    struct front_type *type = front_int_node(p, FRONT_I32, 0, token)->type;
    struct front_symbol *symbol = front_new_symbol(p, FRONT_SYM_LOCAL, "section", type, token);
    for (uint32_t i = count; i-- > 0;) {
        struct front_node *n = front_node(p, FRONT_IF, token);
        n->a = compare(p, FRONT_OP_EQ, symbol, i, token);
        n->b = blocks[i];
        n->c = choice;
        front_set_height(p, n);
        choice = n;
    }
    struct front_node *loop = front_node(p, FRONT_FOR, token);
    loop->b = compare(p, FRONT_OP_LT, symbol, count, token);
    loop->d = choice;
    front_set_height(p, loop);
    omp->loops = base_alloc(p->cx, sizeof *omp->loops);
    *omp->loops = (struct front_omp_loop){.node = loop,
                                          .var = symbol,
                                          .declared = true,
                                          .lo = front_int_node(p, FRONT_I32, 0, token),
                                          .hi = front_int_node(p, FRONT_I32, count, token),
                                          .test = loop->b,
                                          .relation = FRONT_OP_LT,
                                          .step = front_int_node(p, FRONT_I32, 1, token)};
    return loop;
}
