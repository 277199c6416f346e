// Arrays in `reduction`: `sums`, `sums[:n]`, `table[:n][:m]`. Which elements a section has, only the CPU's compiler
// needs to know: the loop's body says which ones it updates.
#include "front/omp/openmp.h"

static void parse_bound(struct front_parser *p) {
    struct front_node *n = front_value(p, front_parse_assign(p));
    if (!front_is_error(n) && !front_is_integer(n->type))
        base_error(p->cx, n->loc, "the bounds of an array section must be integers");
}

void front_parse_sections(struct front_parser *p, const struct front_symbol *s) {
    const struct front_type *type = s ? s->type : NULL;
    while (front_accept(p, FRONT_P_LBRACKET)) {
        base_loc loc = front_peek(p)->loc;
        if (type && type != p->error_type && type->kind != FRONT_ARRAY && type->kind != FRONT_POINTER)
            base_fatal(p->cx, loc, "'%s' has fewer dimensions than this section", s->name);
        if (type && type != p->error_type) type = type->base;
        if (!front_is(p, FRONT_P_COLON)) parse_bound(p);
        if (front_is(p, FRONT_P_RBRACKET))
            base_unsupported(p->cx, loc, "a reduction of one element is not supported: reduce a section, %s[first : 1]",
                             s ? s->name : "x");
        front_expect(p, FRONT_P_COLON, "the first element of an array section");
        if (!front_is(p, FRONT_P_RBRACKET)) parse_bound(p);
        front_expect(p, FRONT_P_RBRACKET, "an array section");
    }
}

bool front_check_reduced_array(struct front_parser *p, const struct front_symbol *s, enum front_op op, base_loc loc) {
    const struct front_type *type = s->type;
    while (type->kind == FRONT_ARRAY || type->kind == FRONT_POINTER)
        type = type->base;
    bool bits = op == FRONT_OP_AND || op == FRONT_OP_OR || op == FRONT_OP_XOR;
    bool ordered = op == FRONT_OP_MIN || op == FRONT_OP_MAX;
    if (!front_is_arithmetic(type) || (bits && !front_is_integer(type))) {
        base_error(p->cx, loc, "elements of '%s' have type '%s', which cannot be reduced with '%s'", s->name,
                   front_type_name(p->cx, type), front_op_text(op));
        return false;
    }
    if (op != FRONT_OP_ADD && op != FRONT_OP_MUL && !bits && !ordered)
        base_unsupported(
            p->cx, loc,
            "this reduction of the array '%s' is not supported: integers can be reduced by + - * & | ^ min "
            "max, floats by + - * min max",
            s->name);
    return true;
}
