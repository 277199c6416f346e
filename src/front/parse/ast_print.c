// Readable text of the tree, one statement a line, every cast shown: for tests and for whoever debugs the front end.
#include "front/parse/parse.h"

#include <math.h>
#include <string.h>

static void put_expr(struct base_text *out, const struct front_node *n);

static void put_type(struct base_text *out, const struct front_type *type) {
    base_text_put(out, front_type_name(out->cx, type));
}

static void put_path(struct base_text *out, const struct front_init *init) {
    for (uint32_t i = 0; i < init->depth; i++) {
        if (init->path[i].field)
            base_text_format(out, ".%s", init->path[i].field->name);
        else
            base_text_format(out, "[%llu]", (unsigned long long)init->path[i].index);
    }
}

static void put_inits(struct base_text *out, const struct front_inits *inits) {
    base_text_put(out, "{");
    for (uint32_t i = 0; i < inits->count; i++) {
        if (!inits->items[i].value) continue;
        base_text_put(out, out->data[out->size - 1] == '{' ? "" : ", ");
        put_path(out, &inits->items[i]);
        base_text_put(out, inits->items[i].depth ? " = " : "");
        put_expr(out, inits->items[i].value);
    }
    base_text_put(out, "}");
}

static void put_list(struct base_text *out, const struct front_node *first) {
    for (const struct front_node *n = first; n; n = n->next) {
        base_text_put(out, n == first ? "" : ", ");
        put_expr(out, n);
    }
}

static void put_constant(struct base_text *out, const struct front_node *n) {
    if (n->kind == FRONT_FLOAT) {
        base_text_format(out, "%.9g%s", n->real,
                         n->type->kind == FRONT_F32   ? "f"
                         : n->type->kind == FRONT_F64 ? ""
                                                      : "h");
        return;
    }
    if (front_is_unsigned(n->type))
        base_text_format(out, "%llu%s", (unsigned long long)n->integer, n->type->kind == FRONT_BOOL ? "" : "u");
    else
        base_text_format(out, "%lld", (long long)n->integer);
    if (n->type->kind == FRONT_I64 || n->type->kind == FRONT_U64) base_text_put(out, "l");
}

static void put_pair(struct base_text *out, const struct front_node *n, const char *op) {
    base_text_put(out, "(");
    put_expr(out, n->a);
    base_text_format(out, " %s ", op);
    put_expr(out, n->b);
    base_text_put(out, ")");
}

static void put_cast(struct base_text *out, const struct front_node *n) {
    if (n->flags & FRONT_FLAG_DECAY) {
        base_text_put(out, "decay(");
    } else {
        base_text_put(out, n->flags & FRONT_FLAG_IMPLICIT ? "<" : "(");
        put_type(out, n->type);
        base_text_put(out, n->flags & FRONT_FLAG_IMPLICIT ? ">(" : ")(");
    }
    if (n->flags & FRONT_FLAG_DEMOTED) base_text_put(out, "demoted ");
    put_expr(out, n->a);
    base_text_put(out, ")");
}

// A text with the node's first two operands in it.
static void put_two(struct base_text *out, const char *before, const struct front_node *n, const char *between,
                    const char *after) {
    base_text_put(out, before);
    put_expr(out, n->a);
    base_text_put(out, between);
    put_expr(out, n->b);
    base_text_put(out, after);
}

static void put_statements(struct base_text *out, const struct front_node *n, uint32_t indent);

static void put_expr(struct base_text *out, const struct front_node *n) {
    switch (n->kind) {
    case FRONT_INT:
    case FRONT_FLOAT: put_constant(out, n); break;
    case FRONT_STRING: base_text_format(out, "string(%u)", n->string_size); break;
    case FRONT_VAR: base_text_put(out, n->symbol->name); break;
    case FRONT_CAST: put_cast(out, n); break;
    case FRONT_UNARY:
        base_text_format(out, "%s(", front_op_text(n->op));
        put_expr(out, n->a);
        base_text_put(out, ")");
        break;
    case FRONT_BINARY:
    case FRONT_LOGIC: put_pair(out, n, front_op_text(n->op)); break;
    case FRONT_PTR_ADD: put_pair(out, n, n->op == FRONT_OP_ADD ? "ptr+" : "ptr-"); break;
    case FRONT_PTR_DIFF: put_pair(out, n, "ptr-ptr"); break;
    case FRONT_COMMA: put_pair(out, n, ","); break;
    case FRONT_BLOCK: put_statements(out, n->a, 1); break;
    case FRONT_ASSIGN: put_pair(out, n, "="); break;
    case FRONT_ASSIGN_OP:
        put_pair(out, n,
                 base_format(out->cx, "%s%s=<%s>", n->flags & FRONT_FLAG_POST ? "post " : "", front_op_text(n->op),
                             front_type_name(out->cx, n->calc)));
        break;
    case FRONT_COND:
        put_two(out, "(", n, " ? ", " : ");
        put_expr(out, n->c);
        base_text_put(out, ")");
        break;
    case FRONT_CALL:
        base_text_format(out, "%s(", n->symbol->name);
        put_list(out, n->a);
        base_text_put(out, ")");
        break;
    case FRONT_INDEX: put_two(out, "", n, "[", "]"); break;
    case FRONT_DEREF:
    case FRONT_ADDR:
        base_text_put(out, n->kind == FRONT_DEREF ? "*(" : "&(");
        put_expr(out, n->a);
        base_text_put(out, ")");
        break;
    case FRONT_MEMBER:
        put_expr(out, n->a);
        base_text_format(out, ".%s", n->field->name);
        break;
    case FRONT_COMPOUND:
        base_text_put(out, "(");
        put_type(out, n->type);
        base_text_put(out, ")");
        put_inits(out, n->inits);
        break;
    case FRONT_MULHI: put_two(out, "mulhi(", n, ", ", ")"); break;
    default: base_text_format(out, "?%u", n->kind);
    }
}

static void put_indent(struct base_text *out, uint32_t indent) { base_text_format(out, "%*s", (int)(indent * 2), ""); }

static void put_omp(struct base_text *out, const struct front_omp *omp, uint32_t indent) {
    static const char *const words[] = {"parallel", "for", "simd", "single", "master", "barrier", "atomic"};
    static const char *const sharing[] = {"shared", "private", "firstprivate", "lastprivate", "reduction", "linear"};
    base_text_put(out, "omp");
    for (uint32_t i = 0; i < 7; i++)
        if (omp->constructs >> i & 1) base_text_format(out, " %s", words[i]);
    for (uint32_t i = 0; i < omp->var_count; i++)
        for (uint32_t bit = 0; bit < 6; bit++)
            if (omp->vars[i].sharing >> bit & 1)
                base_text_format(out, " %s(%s%s%s)", sharing[bit],
                                 omp->vars[i].op ? front_op_text(omp->vars[i].op) : "", omp->vars[i].op ? ":" : "",
                                 omp->vars[i].symbol->name);
    base_text_put(out, omp->nowait ? " nowait\n" : "\n");
    for (uint32_t i = 0; omp->loops && i < omp->collapse; i++) {
        const struct front_omp_loop *loop = &omp->loops[i];
        if (!loop->step) continue;
        put_indent(out, indent + 1);
        base_text_format(out, "loop %s from ", loop->var->name);
        put_expr(out, loop->lo);
        base_text_format(out, " while %s ", front_op_text(loop->relation));
        put_expr(out, loop->hi);
        base_text_put(out, loop->down ? " step -" : " step ");
        put_expr(out, loop->step);
        base_text_put(out, "\n");
    }
    if (omp->body) front_print_node(out, omp->body, indent + 1);
}

static void put_decl(struct base_text *out, const struct front_node *n) {
    base_text_format(out, "%s: ", n->symbol->name);
    put_type(out, n->symbol->type);
    if (n->flags & FRONT_FLAG_HAS_INITS) {
        base_text_put(out, " = ");
        put_inits(out, n->inits);
    } else if (n->a) {
        base_text_put(out, " = ");
        put_expr(out, n->a);
    }
    base_text_put(out, "\n");
}

static void put_statements(struct base_text *out, const struct front_node *first, uint32_t indent) {
    for (const struct front_node *n = first; n; n = n->next)
        front_print_node(out, n, indent);
}

static void put_switch(struct base_text *out, const struct front_node *n, uint32_t indent) {
    base_text_put(out, "switch ");
    put_expr(out, n->a);
    base_text_put(out, "\n");
    uint32_t next = 0;
    for (const struct front_node *s = n->b; s; s = s->next) {
        for (; next < n->case_count && n->cases[next].first == s; next++) {
            put_indent(out, indent);
            if (n->cases[next].is_default)
                base_text_put(out, "default:\n");
            else
                base_text_format(out, "case %lld..%lld:\n", (long long)n->cases[next].lo, (long long)n->cases[next].hi);
        }
        front_print_node(out, s, indent + 1);
    }
}

void front_print_node(struct base_text *out, const struct front_node *n, uint32_t indent) {
    static const char *const words[] = {
        [FRONT_IF] = "if ", [FRONT_WHILE] = "while ", [FRONT_RETURN] = "return ", [FRONT_DO] = "do while "};
    if (n->kind < FRONT_BLOCK) {
        put_expr(out, n);
        return;
    }
    put_indent(out, indent);
    switch (n->kind) {
    case FRONT_BLOCK:
        base_text_put(out, "block\n");
        put_statements(out, n->a, indent + 1);
        break;
    case FRONT_DECL: put_decl(out, n); break;
    case FRONT_EXPR:
        put_expr(out, n->a);
        base_text_put(out, "\n");
        break;
    case FRONT_IF:
    case FRONT_WHILE:
    case FRONT_DO:
    case FRONT_RETURN:
        base_text_put(out, words[n->kind]);
        if (n->a) put_expr(out, n->a);
        base_text_put(out, "\n");
        if (n->b) front_print_node(out, n->b, indent + 1);
        if (n->c) {
            put_indent(out, indent);
            base_text_put(out, "else\n");
            front_print_node(out, n->c, indent + 1);
        }
        break;
    case FRONT_FOR:
        base_text_put(out, "for ");
        if (n->b) put_expr(out, n->b);
        base_text_put(out, "; ");
        if (n->c) put_expr(out, n->c);
        base_text_put(out, "\n");
        if (n->a) front_print_node(out, n->a, indent + 1);
        front_print_node(out, n->d, indent + 1);
        break;
    case FRONT_SWITCH: put_switch(out, n, indent); break;
    case FRONT_BREAK: base_text_put(out, "break\n"); break;
    case FRONT_CONTINUE: base_text_put(out, "continue\n"); break;
    case FRONT_OMP: put_omp(out, n->omp, indent); break;
    default: base_text_put(out, ";\n");
    }
}

const char *front_ast_print(const struct front_ast *ast) {
    struct base_text out;
    base_text_init(&out, ast->cx);
    for (uint32_t i = 0; i < ast->global_count; i++) {
        const struct front_symbol *s = ast->globals[i];
        if (s->builtin) continue;
        base_text_format(&out, "global %s: ", s->name);
        put_type(&out, s->type);
        if (s->has_init) {
            base_text_put(&out, " = ");
            put_inits(&out, &s->inits);
        }
        base_text_put(&out, "\n");
    }
    for (uint32_t i = 0; i < ast->function_count; i++) {
        const struct front_function *f = ast->functions[i];
        if (f->builtin) continue;
        base_text_format(&out, "function %s: ", f->symbol->name);
        put_type(&out, f->symbol->type);
        base_text_put(&out, "\n");
        front_print_node(&out, f->body, 1);
    }
    return out.data ? out.data : "";
}
