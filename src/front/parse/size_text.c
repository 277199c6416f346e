// An array's length as text, for those who know the array and look for the values that its length is made of.
#include "front/parse/ast.h"

static bool put(struct base_text *out, const struct front_node *n) {
    switch (n->kind) {
    case FRONT_INT:
        if (front_is_unsigned(n->type))
            base_text_format(out, "%llu", (unsigned long long)n->integer);
        else
            base_text_format(out, "%lld", (long long)n->integer);
        return true;
    case FRONT_VAR: base_text_put(out, n->symbol->name); return n->symbol->kind == FRONT_SYM_PARAM;
    case FRONT_CAST: // lengths are no larger than an int, which every wider type holds
        return front_is_integer(n->type) && front_int_bits(n->type) >= 32 && front_is_integer(n->a->type) &&
               put(out, n->a);
    case FRONT_UNARY:
        base_text_put(out, "(-");
        if (n->op != FRONT_OP_NEG || !put(out, n->a)) return false;
        base_text_put(out, ")");
        return true;
    case FRONT_BINARY:
        if (n->op < FRONT_OP_ADD || n->op > FRONT_OP_SHR) return false;
        base_text_put(out, "(");
        if (!put(out, n->a)) return false;
        base_text_format(out, " %s ", front_op_text((enum front_op)n->op));
        if (!put(out, n->b)) return false;
        base_text_put(out, ")");
        return true;
    default: return false;
    }
}

const char *front_size_text(struct base_cx *cx, const struct front_type *array) {
    if (array->kind != FRONT_ARRAY || array->unsized) return "";
    if (!array->length_expr) return base_format(cx, "%llu", (unsigned long long)array->length);
    struct base_text out;
    base_text_init(&out, cx);
    return put(&out, array->length_expr) ? out.data : "";
}
