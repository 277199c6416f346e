// Reductions of 64-bit integers by +, &, | and ^ as reductions of 32-bit words, which devices can combine.
//
// By &, | and ^ the words do not know of each other. A sum modulo 2^64 is one of high words modulo 2^32, and one of low
// words, which are cut into limbs so short that the sum of as many as there are iterations has no carry: 2 of 16 bits
// for 65,537 iterations, 4 of 8 bits for 16 million. Carries are made once, behind the loop.
#include "front/lower/lower_omp.h"

enum { SHORTEST_LIMB = 3, WORD = 32 };

static enum ir_op operation(const struct lower_pair_sum *sum) {
    return lower_reduction_op((enum front_op)sum->clause->op, IR_U32);
}

// Bits of a limb; 0: no limbs are so short.
static uint32_t limb_of(uint8_t op, uint64_t iterations) {
    if (op == FRONT_OP_AND || op == FRONT_OP_OR || op == FRONT_OP_XOR) return WORD;
    if (op != FRONT_OP_ADD) return 0;
    uint32_t bits = WORD / 2;
    while (bits >= SHORTEST_LIMB && iterations * ((1u << bits) - 1) > UINT32_MAX)
        bits--;
    return bits >= SHORTEST_LIMB ? bits : 0;
}

bool lower_limbs_make(struct lower *lw, struct lower_pair_sums *sums, struct lower_pair_sum *sum, uint32_t others) {
    base_loc loc = sum->clause->loc;
    bool words = !sum->clause->combine && !front_is_pair(sum->clause->symbol->type);
    uint32_t bits = !words ? 0 : limb_of(sum->clause->op, sums->numbering.most);
    uint32_t count = bits ? (WORD + bits - 1) / bits + 1 : 0;
    bool room = others + sums->ir_count + count <= LOWER_MOST_PAIR_SUMS && lw->reduction_count + count <= 64;
    if (!bits || !room) return false;
    uint32_t identity = ir_identity((uint8_t)operation(sum), IR_U32);
    sum->limb_bits = bits;
    sum->limb_count = count - 1;
    for (uint32_t k = 0; k < count; k++) {
        const char *name = base_format(lw->cx, k + 1 < count ? "%s.limb%u" : "%s.high", sum->clause->symbol->name, k);
        sum->limbs[k] = lower_new_var(lw, name, IR_U32, IR_VAR_ENTRY, loc);
        lower_emit(lw, ir_assign(lw->u, sum->limbs[k], ir_const(lw->u, IR_U32, identity), loc));
        sums->irs[sums->ir_count++] = (struct ir_reduction){(uint8_t)operation(sum), sum->limbs[k]};
        lw->reductions[lw->reduction_count++] = sum->limbs[k];
    }
    return true;
}

static void take(struct lower *lw, const struct lower_pair_sum *sum, uint32_t k, ir_expr part, base_loc loc) {
    ir_expr next = lower_fold2(lw, operation(sum), ir_var_read(lw->u, sum->limbs[k], loc), part, loc);
    lower_emit(lw, ir_assign(lw->u, sum->limbs[k], next, loc));
}

void lower_limbs_save(struct lower *lw, const struct lower_pair_sum *sum, base_loc loc) {
    struct lower_place own = lower_whole(lw->objects[sum->clause->symbol->id]);
    ir_expr value = lower_snapshot(lw, lower_load_place(lw, &own, loc), loc);
    struct lower_words w = lower_words_of(lw, value, loc);
    ir_expr mask = ir_const(lw->u, IR_U32, sum->limb_bits == WORD ? UINT32_MAX : (1u << sum->limb_bits) - 1);
    for (uint32_t k = 0; k < sum->limb_count; k++) {
        ir_expr part = lower_fold2(lw, IR_SHR, w.lo, ir_const(lw->u, IR_U32, k * sum->limb_bits), loc);
        if (sum->limb_bits < WORD) part = lower_fold2(lw, IR_AND, part, mask, loc);
        take(lw, sum, k, part, loc);
    }
    take(lw, sum, sum->limb_count, w.hi, loc);
}

void lower_limbs_end(struct lower *lw, const struct lower_pair_sum *sum, base_loc loc) {
    const struct front_type *type = sum->clause->symbol->type, *u64 = front_basic_type(FRONT_U64);
    struct lower_place outer = lower_whole(sum->outer);
    enum front_op op = (enum front_op)sum->clause->op;
    ir_expr low = ir_var_read(lw->u, sum->limbs[0], loc), high = ir_var_read(lw->u, sum->limbs[sum->limb_count], loc);
    lw->reduction_count -= sum->limb_count + 1;
    sum->outer->varying = false;
    ir_expr e;
    if (op == FRONT_OP_ADD) {
        e = lower_words_node(lw, (struct lower_words){ir_const(lw->u, IR_U32, 0), high}, loc);
        e = lower_words_binary(lw, op, e, low, u64, loc);
        for (uint32_t k = 1; k < sum->limb_count; k++) {
            ir_expr limb = ir_var_read(lw->u, sum->limbs[k], loc), by = ir_const(lw->u, IR_U32, k * sum->limb_bits);
            e = lower_words_binary(lw, op, e, lower_words_binary(lw, FRONT_OP_SHL, limb, by, u64, loc), u64, loc);
        }
    } else {
        e = lower_words_node(lw, (struct lower_words){low, high}, loc);
    }
    e = lower_words_binary(lw, op, lower_load_place(lw, &outer, loc), e, type, loc);
    lower_store_place(lw, &outer, (struct lower_value){.type = outer.type, .e = e}, loc);
}
