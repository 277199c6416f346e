// Functions of the C library: one table for mathematics, memset and memcpy as loops, and for the rest the message that
// says what to use instead.
#include <string.h>

#include "front/lower/lower.h"

// Other names of functions that ir/ops.def has by one. The float form has an f more.
static const struct {
    const char *name;
    uint8_t op;
} math_aliases[] = {{"nearbyint", IR_RINT}, {"scalbn", IR_LDEXP}};

#define NO_FILES \
    "output to files other than stdout is not supported; store what you want to see in an output array, or print it"
static const struct {
    const char *name, *advice;
} refused[] = {
    {"malloc", "assign what malloc gives to a pointer of the elements' type"},
    {"calloc", "assign what calloc gives to a pointer of the elements' type"},
    {"realloc", "memory from realloc is not supported; declare an array of the largest size"},
    {"aligned_alloc", "memory from aligned_alloc is not supported; use malloc"},
    {"fprintf", NO_FILES},
    {"fputs", NO_FILES},
    {"fputc", NO_FILES},
    {"putc", NO_FILES},
    {"fflush", NO_FILES},
    {"rand", "rand has hidden state; use programs/lib/philox.h, whose numbers are named by a counter"},
    {"srand", "srand has hidden state; use programs/lib/philox.h, whose numbers are named by a counter"},
    {"exit", "a kernel cannot exit; return"},
    {"abort", "a kernel cannot abort; return"},
    {"omp_get_num_procs", "omp_get_num_procs is the machine's; use num_threads(N), and N"},
    {"omp_in_parallel", "omp_in_parallel is not supported; write 1 inside of `#pragma omp parallel` and 0 outside"},
    {"omp_get_level", "omp_get_level is not supported; write the number of parallel regions around it"},
    {"omp_get_team_num", "teams are not supported; use `parallel` with omp_get_thread_num"},
    {"omp_get_num_teams", "teams are not supported; use `parallel` with omp_get_num_threads"},
    {"omp_is_initial_device", "the program is not told where it runs, its results are the same; leave it out"},
    {"omp_get_num_devices", "the program is not told of devices; `whorl run --device` chooses one"},
    {"omp_get_default_device", "the program is not told of devices; `whorl run --device` chooses one"},
    {"omp_init_lock", "locks are not supported; use a reduction clause, or `#pragma omp atomic` for one update"},
    {"omp_destroy_lock", "locks are not supported; use a reduction clause, or `#pragma omp atomic` for one update"},
    {"omp_set_lock", "locks are not supported; use a reduction clause, or `#pragma omp atomic` for one update"},
    {"omp_unset_lock", "locks are not supported; use a reduction clause, or `#pragma omp atomic` for one update"},
    {"omp_get_wtime", FRONT_NO_CLOCK},
    {"omp_get_wtick", FRONT_NO_CLOCK},
    {"clock", FRONT_NO_CLOCK},
    {"time", "time cannot be read inside the program; pass a seed as a parameter"},
};

static struct lower_value number(struct front_type *type, ir_expr e) {
    return (struct lower_value){.type = type, .e = e};
}

// ---- memset, memcpy -------------------------------------------------------------------------------------------------

// sizeof the memory that the place's last index moves over in one step, and the loops for `bytes` of it. False: the
// size is not a whole number of steps.
static bool move_bytes(struct lower *lw, struct lower_place to, struct lower_place *from, ir_expr word,
                       struct front_node *bytes, bool overlaps, base_loc loc) {
    for (;;) {
        uint64_t step = front_type_size(to.type);
        ir_expr size = lower_low32(lw, bytes, IR_I32);
        int64_t known;
        bool constant = lower_const_int(lw, size, &known), movable = to.movable && (!from || from->movable);
        if (constant && step && known % (int64_t)step == 0) {
            if (!movable) {
                if (known != (int64_t)step) return false;
                if (from)
                    lower_copy(lw, &to, from, loc);
                else
                    lower_fill(lw, &to, word, loc);
                return true;
            }
            lower_move(lw, &to, from, word, ir_const_i32(lw->u, (int32_t)(known / (int64_t)step)), overlaps, loc);
            return true;
        }
        if (to.type->kind == FRONT_ARRAY) {
            to = lower_element(lw, to, ir_const_i32(lw->u, 0), loc);
            to.walked = (uint8_t)to.n;
            if (from) {
                *from = lower_element(lw, *from, ir_const_i32(lw->u, 0), loc);
                from->walked = (uint8_t)from->n;
            }
            continue;
        }
        if (constant || !step || !movable) return false;
        // A size that is only known when the program starts: a product with the element's size.
        ir_expr count = lower_fold2(lw, IR_DIV, size, ir_const_i32(lw->u, (int32_t)step), loc);
        lower_move(lw, &to, from, word, count, overlaps, loc);
        return true;
    }
}

// memcpy(&bits, &value, 4): how C looks at a float's bits.
static bool copy_bits(struct lower *lw, const struct lower_place *to, const struct lower_place *from,
                      struct front_node *bytes, base_loc loc) {
    int64_t size;
    if (!front_is_arithmetic(to->type) || !front_is_arithmetic(from->type) || to->type->kind == from->type->kind ||
        front_type_size(to->type) != 4 || front_type_size(from->type) != 4 ||
        !lower_const_int(lw, lower_low32(lw, bytes, IR_I32), &size) || size != 4)
        return false;
    ir_expr e = lower_load_place(lw, from, loc);
    if (lower_ir_type_of(lw, e) == IR_F32)
        e = ir_op1(lw->u, IR_BITS_F2U, e, loc);
    else if (lower_carrier(to->type) == IR_F32)
        e = ir_op1(lw->u, IR_BITS_U2F, lower_as(lw, e, IR_U32, loc), loc);
    struct lower_value value = {.type = to->type, .e = lower_as(lw, e, lower_carrier(to->type), loc)};
    lower_store_place(lw, to, value, loc);
    return true;
}

static uint32_t depth(const struct front_type *type) {
    uint32_t n = 0;
    for (; type->kind == FRONT_ARRAY; type = type->base)
        n++;
    return n;
}

// One of the places that the pointers may lead to. `from`: NULL for memset, which fills it with `word`.
static void move_place(struct lower *lw, struct front_node *node, struct lower_place to, const struct lower_place *from,
                       ir_expr word, struct front_node *bytes) {
    struct lower_place s = {0};
    bool overlaps = from && strstr(node->symbol->name, "memmove") != NULL;
    if (from) {
        s = *from;
        if (copy_bits(lw, &to, &s, bytes, node->loc)) return;
        while (depth(to.type) > depth(s.type))
            to = lower_element(lw, to, ir_const_i32(lw->u, 0), node->loc);
        while (depth(s.type) > depth(to.type))
            s = lower_element(lw, s, ir_const_i32(lw->u, 0), node->loc);
        const struct front_type *x = to.type, *y = s.type;
        for (; x->kind == FRONT_ARRAY && y->kind == FRONT_ARRAY; x = x->base, y = y->base)
            ;
        if (x->kind != y->kind || (x->kind == FRONT_STRUCT && x->record != y->record))
            base_unsupported(lw->cx, node->loc, "'%s' between arrays of different types", node->symbol->name);
    }
    if (!move_bytes(lw, to, from ? &s : NULL, word, bytes, overlaps, node->loc))
        base_unsupported(lw->cx, node->loc, "the size given to '%s' is not a whole number of elements",
                         node->symbol->name);
}

static bool leads_somewhere(const struct lower_ptr *ptr) {
    for (uint32_t i = 0; ptr && i < ptr->count; i++)
        if (ptr->targets[i].object) return true;
    return !ptr;
}

static ir_expr is_target(struct lower *lw, const struct lower_ptr *ptr, uint32_t index, base_loc loc) {
    if (!ptr || ptr->count < 2) return 0;
    return lower_fold2(lw, IR_EQ, ptr->selector, ir_const_i32(lw->u, (int32_t)index), loc);
}

// A pointer that was swapped leads to one of several arrays: a move for each pair, under a condition.
static void move_all(struct lower *lw, struct front_node *node, struct lower_ptr *to, struct lower_ptr *from,
                     ir_expr word, struct front_node *bytes) {
    ir_stmt rest = 0;
    for (uint32_t i = to->count; i-- > 0;)
        for (uint32_t k = from ? from->count : 1; k-- > 0;) {
            if (!to->targets[i].object || (from && !from->targets[k].object)) continue;
            struct lower_block block = {0, 0};
            struct lower_block *before = lower_enter(lw, &block);
            ir_expr a = is_target(lw, to, i, node->loc), b = is_target(lw, from, k, node->loc);
            move_place(lw, node, to->targets[i], from ? &from->targets[k] : NULL, word, bytes);
            lower_leave(lw, before);
            ir_expr both = a && b ? lower_fold2(lw, IR_LAND, a, b, node->loc) : a ? a : b;
            rest = rest && both ? ir_if(lw->u, both, block.head, rest, node->loc) : block.head;
        }
    lower_emit(lw, rest);
}

// A word of which each byte is the value's lowest one.
static ir_expr bytes_of(struct lower *lw, struct front_node *value) {
    ir_expr word = lower_as(lw, lower_int_of(lw, value), IR_U32, value->loc);
    word = lower_fold2(lw, IR_AND, word, ir_const(lw->u, IR_U32, 0xff), value->loc);
    word = lower_fold2(lw, IR_MUL, word, ir_const(lw->u, IR_U32, 0x01010101u), value->loc);
    return lower_snapshot(lw, word, value->loc);
}

static struct lower_value memory_call(struct lower *lw, struct front_node *node, bool copy) {
    struct front_node *second = node->a->next, *bytes = second->next;
    struct lower_ptr *to = lower_expr(lw, node->a).ptr, *from = NULL;
    ir_expr word = 0;
    if (copy)
        from = lower_expr(lw, second).ptr;
    else
        word = bytes_of(lw, second);
    if (!leads_somewhere(to) || !leads_somewhere(from))
        base_unsupported(lw->cx, node->loc, "'%s' needs pointers that were set to arrays", node->symbol->name);
    if (to->count == 1 && (!from || from->count == 1))
        move_place(lw, node, to->targets[0], from ? &from->targets[0] : NULL, word, bytes);
    else
        move_all(lw, node, lower_freeze(lw, to, node->loc), from ? lower_freeze(lw, from, node->loc) : NULL, word,
                 bytes);
    return (struct lower_value){.type = node->type, .ptr = to};
}

// ---- the rest -------------------------------------------------------------------------------------------------------

static const char *plain(const char *name) { return strncmp(name, "__builtin_", 10) == 0 ? name + 10 : name; }

// The name, or the name with an f behind it, is `form`.
static bool is_form(const char *name, const char *form) {
    size_t length = strlen(name);
    return length && strncmp(form, name, length) == 0 && (!form[length] || strcmp(form + length, "f") == 0);
}

// The operation of a function of C, in its double or its float form; -1: none.
static int find_math(const char *called) {
    const char *name = plain(called);
    for (uint32_t i = 0; i < sizeof math_aliases / sizeof *math_aliases; i++)
        if (is_form(math_aliases[i].name, name)) return math_aliases[i].op;
    for (int op = 0; op < IR_OP_COUNT; op++)
        if (is_form(name, plain(ir_ops[op].c))) return op;
    return -1;
}

static struct lower_value math_call(struct lower *lw, struct front_node *node, enum ir_op op) {
    ir_expr args[3] = {0};
    struct front_node *given[3] = {0};
    uint32_t n = 0;
    for (struct front_node *arg = node->a; arg && n < 3; arg = arg->next)
        given[n++] = arg;
    bool last_first = lower_last_first(lw, node->a);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t i = last_first ? n - 1 - k : k;
        bool integer = op == IR_POPCOUNT || op == IR_CLZ || op == IR_CTZ;
        args[i] = lower_as(lw, lower_scalar(lw, given[i]),
                           integer                    ? IR_U32
                           : op == IR_LDEXP && i == 1 ? IR_I32
                                                      : IR_F32,
                           given[i]->loc);
        if (last_first) args[i] = lower_held(lw, args[i], given[i]->loc);
    }
    if (n != ir_ops[op].arity)
        base_fatal(lw->cx, node->loc, "'%s' takes %u argument%s", node->symbol->name, ir_ops[op].arity,
                   base_s(ir_ops[op].arity));
    ir_expr e = n == 1   ? lower_fold1(lw, op, args[0], node->loc)
                : n == 2 ? lower_fold2(lw, op, args[0], args[1], node->loc)
                         : lower_fold3(lw, op, args[0], args[1], args[2], node->loc);
    if (front_is_integer(node->type) && lower_ir_type_of(lw, e) == IR_U32) e = lower_as(lw, e, IR_I32, node->loc);
    return number(node->type, e);
}

// ---- parts of a float -----------------------------------------------------------------------------------------------

// modff(x, &whole): the fraction has the sign of x, and an infinity none.
static ir_expr fraction_of(struct lower *lw, ir_expr x, ir_expr *out_whole, base_loc loc) {
    *out_whole = lower_snapshot(lw, lower_fold1(lw, IR_TRUNC, x, loc), loc);
    ir_expr left = lower_fold2(lw, IR_SUB, x, *out_whole, loc);
    left = lower_fold3(lw, IR_SELECT, lower_fold1(lw, IR_ISINF, x, loc), ir_const_f32(lw->u, 0), left, loc);
    return lower_fold2(lw, IR_COPYSIGN, left, x, loc);
}

// frexpf(x, &exponent): the exponent's bits, which those of a half replace. A number without such bits is 0 to a
// device.
static ir_expr mantissa_of(struct lower *lw, ir_expr x, ir_expr *out_exponent, base_loc loc) {
    struct ir_unit *u = lw->u;
    ir_expr bits = lower_snapshot(lw, lower_fold1(lw, IR_BITS_F2U, x, loc), loc), last = ir_const(u, IR_U32, 255);
    ir_expr own = lower_fold2(lw, IR_SHR, bits, ir_const(u, IR_U32, 23), loc), none = ir_const(u, IR_U32, 0);
    own = lower_snapshot(lw, lower_fold2(lw, IR_AND, own, last, loc), loc);
    ir_expr is_other =
        lower_fold2(lw, IR_LOR, lower_fold2(lw, IR_EQ, own, none, loc), lower_fold2(lw, IR_EQ, own, last, loc), loc);
    is_other = lower_snapshot(lw, is_other, loc);
    ir_expr exponent = lower_fold2(lw, IR_SUB, lower_as(lw, own, IR_I32, loc), ir_const_i32(u, 126), loc);
    *out_exponent = lower_snapshot(lw, lower_fold3(lw, IR_SELECT, is_other, ir_const_i32(u, 0), exponent, loc), loc);
    ir_expr half = lower_fold2(lw, IR_AND, bits, ir_const(u, IR_U32, 0x807fffff), loc);
    half = lower_fold2(lw, IR_OR, half, ir_const(u, IR_U32, 0x3f000000), loc);
    return lower_fold3(lw, IR_SELECT, is_other, x, lower_fold1(lw, IR_BITS_U2F, half, loc), loc);
}

static bool parts_call(struct lower *lw, struct front_node *node, struct lower_value *out) {
    bool is_whole = is_form("modf", node->symbol->name);
    if ((!is_whole && !is_form("frexp", node->symbol->name)) || !node->a || !node->a->next) return false;
    struct front_node *to = node->a->next;
    ir_expr x = lower_snapshot(lw, lower_as(lw, lower_scalar(lw, node->a), IR_F32, node->loc), node->loc), other;
    struct lower_ptr *place = lower_expr(lw, to).ptr;
    ir_expr part = (is_whole ? fraction_of : mantissa_of)(lw, x, &other, node->loc);
    *out = number(node->type, lower_snapshot(lw, part, node->loc));
    lower_store(lw, place, number(front_basic_type(is_whole ? FRONT_F32 : FRONT_I32), other), node->loc);
    return true;
}

// Of a function of the bits of a long, which has an l or two behind its name; -1: it is none.
static int long_operation(const char *name) {
    static const struct {
        const char *name;
        uint8_t op;
    } rows[] = {{"popcount", IR_POPCOUNT}, {"clz", IR_CLZ}, {"ctz", IR_CTZ}};
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t size = strlen(rows[i].name);
        if (strncmp(name, rows[i].name, size) == 0 && (strcmp(name + size, "l") == 0 || strcmp(name + size, "ll") == 0))
            return rows[i].op;
    }
    return -1;
}

static bool compare_call(struct lower *lw, struct front_node *node, struct lower_value *out) {
    static const struct {
        const char *name;
        uint8_t op;
    } compares[] = {{"__builtin_isgreater", IR_GT},
                    {"__builtin_isgreaterequal", IR_GE},
                    {"__builtin_isless", IR_LT},
                    {"__builtin_islessequal", IR_LE}};
    for (uint32_t i = 0; i < sizeof compares / sizeof *compares; i++)
        if (strcmp(node->symbol->name, compares[i].name) == 0) {
            ir_expr a = lower_scalar(lw, node->a), b = lower_scalar(lw, node->a->next);
            *out = number(node->type, lower_fold2(lw, (enum ir_op)compares[i].op, lower_as(lw, a, IR_F32, node->loc),
                                                  lower_as(lw, b, IR_F32, node->loc), node->loc));
            return true;
        }
    return false;
}

// isinf of the system's header: 1, -1 of minus infinity, else 0.
static bool infinity_call(struct lower *lw, struct front_node *node, struct lower_value *out) {
    base_loc loc = node->loc;
    if (strcmp(node->symbol->name, "__builtin_isinf_sign") != 0) return false;
    ir_expr a = lower_snapshot(lw, lower_as(lw, lower_scalar(lw, node->a), IR_F32, loc), loc);
    ir_expr below = lower_fold2(lw, IR_LT, a, ir_const(lw->u, IR_F32, 0), loc);
    ir_expr sign = lower_fold3(lw, IR_SELECT, below, ir_const_i32(lw->u, -1), ir_const_i32(lw->u, 1), loc);
    ir_expr is = lower_fold1(lw, IR_ISINF, a, loc);
    *out = number(node->type, lower_fold3(lw, IR_SELECT, is, sign, ir_const_i32(lw->u, 0), loc));
    return true;
}

// labs and llabs, and the bits of 64-bit integers.
static bool long_call(struct lower *lw, struct front_node *node, struct lower_value *out) {
    const char *name = plain(node->symbol->name);
    bool absolute = strcmp(name, "labs") == 0 || strcmp(name, "llabs") == 0;
    int op = long_operation(name);
    if (!absolute && op < 0) return false;
    const struct front_type *type = node->a->type;
    base_loc loc = node->loc;
    ir_expr a = lower_snapshot(lw, lower_scalar(lw, node->a), loc), zero = ir_const_i32(lw->u, 0);
    if (absolute) {
        ir_expr minus = lower_arith(lw, FRONT_OP_SUB, zero, a, type, loc);
        ir_expr below = lower_is_words(lw, a) ? lower_words_compare(lw, FRONT_OP_LT, a, zero, type, loc)
                                              : lower_fold2(lw, IR_LT, lower_as(lw, a, IR_I32, loc), zero, loc);
        lower_common(lw, &minus, &a, loc);
        *out = number(node->type, lower_fold3(lw, IR_SELECT, below, minus, a, loc));
        return true;
    }
    struct lower_words w = lower_words_of(lw, a, loc);
    ir_expr lo = lower_fold1(lw, (enum ir_op)op, w.lo, loc), hi = lower_fold1(lw, (enum ir_op)op, w.hi, loc);
    ir_expr word = ir_const(lw->u, IR_U32, 32), none = ir_const(lw->u, IR_U32, 0), e;
    if (op == IR_POPCOUNT)
        e = lower_fold2(lw, IR_ADD, lo, hi, loc);
    else if (op == IR_CLZ)
        e = lower_fold3(lw, IR_SELECT, lower_fold2(lw, IR_EQ, w.hi, none, loc), lower_fold2(lw, IR_ADD, lo, word, loc),
                        hi, loc);
    else
        e = lower_fold3(lw, IR_SELECT, lower_fold2(lw, IR_EQ, w.lo, none, loc), lower_fold2(lw, IR_ADD, hi, word, loc),
                        lo, loc);
    *out = number(node->type, lower_as(lw, e, IR_I32, loc));
    return true;
}

// A word's bytes the other way round: neighbours change places, then pairs of them.
static ir_expr turned(struct lower *lw, ir_expr word, base_loc loc) {
    static const uint32_t masks[] = {0x00ff00ffu, 0x0000ffffu};
    for (uint32_t i = 0; i < 2; i++) {
        ir_expr mask = ir_const(lw->u, IR_U32, masks[i]), by = ir_const(lw->u, IR_U32, 8u << i);
        word = lower_snapshot(lw, word, loc);
        ir_expr low = lower_fold2(lw, IR_SHL, lower_fold2(lw, IR_AND, word, mask, loc), by, loc);
        ir_expr high = lower_fold2(lw, IR_AND, lower_fold2(lw, IR_SHR, word, by, loc), mask, loc);
        word = lower_fold2(lw, IR_OR, low, high, loc);
    }
    return lower_snapshot(lw, word, loc);
}

static bool turn_call(struct lower *lw, struct front_node *node, struct lower_value *out) {
    const char *bits = node->symbol->name;
    base_loc loc = node->loc;
    if (strncmp(bits, "__builtin_bswap", 15) != 0) return false;
    bits += 15;
    ir_expr a = lower_scalar(lw, node->a);
    if (strcmp(bits, "64") == 0) {
        struct lower_words w = lower_words_of(lw, lower_snapshot(lw, a, loc), loc);
        struct lower_words other = {.lo = turned(lw, w.hi, loc), .hi = turned(lw, w.lo, loc)};
        *out = number(node->type, lower_words_node(lw, other, loc));
        return true;
    }
    ir_expr word = turned(lw, lower_as(lw, a, IR_U32, loc), loc);
    if (strcmp(bits, "16") == 0) word = lower_fold2(lw, IR_SHR, word, ir_const(lw->u, IR_U32, 16), loc);
    *out = number(node->type, lower_as(lw, word, lower_carrier(node->type), loc));
    return true;
}

// Whether the number of bits is odd, and the number of the lowest one, from 1 on; 0: there is none.
static bool bits_call(struct lower *lw, struct front_node *node, struct lower_value *out) {
    const char *name = node->symbol->name;
    bool is_parity = strncmp(name, "__builtin_parity", 16) == 0, is_long = name[strlen(name) - 1] == 'l';
    if (!is_parity && strncmp(name, "__builtin_ffs", 13) != 0) return false;
    base_loc loc = node->loc;
    struct ir_unit *u = lw->u;
    ir_expr a = lower_snapshot(lw, lower_scalar(lw, node->a), loc), none = ir_const(u, IR_U32, 0), e;
    struct lower_words w = {.lo = lower_as(lw, a, IR_U32, loc), .hi = none};
    if (is_long) w = lower_words_of(lw, a, loc);
    if (is_parity) {
        e = lower_fold1(lw, IR_POPCOUNT, lower_fold2(lw, IR_XOR, w.lo, w.hi, loc), loc);
        e = lower_fold2(lw, IR_AND, e, ir_const(u, IR_U32, 1), loc);
    } else {
        ir_expr low = lower_fold2(lw, IR_ADD, lower_fold1(lw, IR_CTZ, w.lo, loc), ir_const(u, IR_U32, 1), loc);
        ir_expr high = lower_fold2(lw, IR_ADD, lower_fold1(lw, IR_CTZ, w.hi, loc), ir_const(u, IR_U32, 33), loc);
        e = lower_fold3(lw, IR_SELECT, lower_fold2(lw, IR_EQ, w.hi, none, loc), none, high, loc);
        e = lower_fold3(lw, IR_SELECT, lower_fold2(lw, IR_EQ, w.lo, none, loc), e, low, loc);
    }
    *out = number(node->type, lower_as(lw, e, IR_I32, loc));
    return true;
}

static const struct {
    const char *name;
    uint32_t bits;
} constants[] = {{"__builtin_inff", 0x7f800000u},
                 {"__builtin_inf", 0x7f800000u},
                 {"__builtin_huge_valf", 0x7f800000u},
                 {"__builtin_huge_val", 0x7f800000u},
                 {"__builtin_nanf", 0x7fc00000u},
                 {"__builtin_nan", 0x7fc00000u},
                 {"nanf", 0x7fc00000u},
                 {"nan", 0x7fc00000u}};

struct lower_value lower_library_call(struct lower *lw, struct front_node *node) {
    const char *name = node->symbol->name;
    struct lower_value value;
    if (lower_log_call(lw, node, true)) return (struct lower_value){.type = node->type};
    for (uint32_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (strcmp(name, refused[i].name) == 0) base_unsupported(lw->cx, node->loc, "%s", refused[i].advice);
    for (uint32_t i = 0; i < sizeof constants / sizeof *constants; i++)
        if (strcmp(name, constants[i].name) == 0) return number(node->type, ir_const(lw->u, IR_F32, constants[i].bits));
    if (long_call(lw, node, &value) || turn_call(lw, node, &value) || bits_call(lw, node, &value)) return value;
    if (strcmp(name, "abs") == 0)
        return number(node->type, lower_fold1(lw, IR_ABS, lower_scalar(lw, node->a), node->loc));
    if (strcmp(name, "fdimf") == 0 || strcmp(name, "fdim") == 0) {
        ir_expr a = lower_scalar(lw, node->a), b = lower_scalar(lw, node->a->next);
        ir_expr sum = lower_fold2(lw, IR_SUB, a, b, node->loc);
        ir_expr le = lower_fold2(lw, IR_LE, a, b, node->loc);
        return number(node->type, lower_fold3(lw, IR_SELECT, le, ir_const_f32(lw->u, 0), sum, node->loc));
    }
    static const struct {
        const char *name;
        uint8_t op;
    } rounding[] = {{"lround", IR_ROUND}, {"lroundf", IR_ROUND}, {"llround", IR_ROUND}, {"llroundf", IR_ROUND},
                    {"lrint", IR_RINT},   {"lrintf", IR_RINT},   {"llrint", IR_RINT},   {"llrintf", IR_RINT}};
    for (uint32_t i = 0; i < sizeof rounding / sizeof *rounding; i++)
        if (strcmp(name, rounding[i].name) == 0) {
            ir_expr whole = ir_op1(lw->u, (enum ir_op)rounding[i].op, lower_scalar(lw, node->a), node->loc);
            return number(node->type, ir_op1(lw->u, IR_F2I, whole, node->loc));
        }
    if (strcmp(name, "omp_get_thread_num") == 0) return number(node->type, lower_thread_number(lw, node->loc));
    if (strcmp(name, "omp_get_num_threads") == 0) return number(node->type, lower_thread_count(lw));
    if (strcmp(name, "omp_set_dynamic") == 0 || strcmp(name, "omp_set_nested") == 0) { // nested regions have one thread
        lower_discard(lw, node->a);
        return (struct lower_value){.type = node->type};
    }
    if (strcmp(name, "omp_set_num_threads") == 0) {
        lower_set_team(lw, node);
        return (struct lower_value){.type = node->type};
    }
    if (strcmp(name, "omp_get_max_threads") == 0) {
        if (!lw->usual_team)
            base_unsupported(lw->cx, node->loc,
                             "omp_get_max_threads is the machine's; call omp_set_num_threads(N) before, or use "
                             "num_threads(N), and N");
        return number(node->type, ir_const_i32(lw->u, (int32_t)lw->usual_team));
    }
    if (strcmp(name, "free") == 0) return lower_free(lw, node);
    if (strcmp(name, "memset") == 0) return memory_call(lw, node, false);
    if (strcmp(plain(name), "memcpy") == 0 || strcmp(name, "memmove") == 0) return memory_call(lw, node, true);
    if (parts_call(lw, node, &value) || compare_call(lw, node, &value) || infinity_call(lw, node, &value)) return value;
    int op = find_math(name);
    if (op >= 0) return math_call(lw, node, (enum ir_op)op);
    if (node->symbol->builtin || strncmp(name, "__builtin_", 10) == 0)
        base_unsupported(lw->cx, node->loc, "'%s' is not supported; write what it does as a function of your own",
                         name);
    base_fatal(lw->cx, node->loc, "'%s' is called and defined nowhere", name);
}
