// Arrays whose elements are passed as 32-bit words, or smaller numbers, in the last dimension: structs, and 64-bit
// integers.
#include <string.h>

#include "front/lower/lower.h"

static void set_words(struct lower *lw, uint8_t *words, const char **names, const struct lower_leaf *leaf, uint32_t dim,
                      uint64_t at) {
    if (lower_is_part(leaf)) return; // of a word that is none of a person's
    if (dim == leaf->ndims && lower_is_wide(leaf->type)) {
        names[at] = leaf->name + (leaf->name[0] == '.');
        names[at + 1] = base_format(lw->cx, "%s.hi", names[at]);
        return;
    }
    if (dim == leaf->ndims && leaf->is_half) {
        words[at] = WHORL_F64;
        if (at % 2 == 0) names[at] = leaf->name + (leaf->name[0] == '.'); // the other half has none
        return;
    }
    if (dim == leaf->ndims) {
        words[at] = (uint8_t)lower_elem_of(lw, leaf->type, true, 0);
        names[at] = leaf->name + (leaf->name[0] == '.');
        return;
    }
    for (uint64_t i = 0; i < leaf->dims[dim]; i++)
        set_words(lw, words, names, leaf, dim + 1, at + i * leaf->strides[dim] / 4);
}

// Doubles side by side are one run. C aligns them, so each begins at an even word.
static struct base_pair_rows find_doubles(struct lower *lw, const uint8_t *words, uint32_t count) {
    uint32_t *runs = base_alloc_array(lw->cx, count + 1, sizeof *runs), used = 0;
    for (uint32_t w = 0; w < count; w += 2) {
        if (words[w] != WHORL_F64) continue;
        if (used && runs[used - 2] + 2 * runs[used - 1] == w) {
            runs[used - 1]++;
            continue;
        }
        runs[used++] = w;
        runs[used++] = 1;
    }
    return (struct base_pair_rows){count, runs, used / 2};
}

// What the words of a struct of mixed types are, for people who look at the array from outside.
static void describe_words(struct lower *lw, struct ir_param *param, const struct front_type *type,
                           const struct lower_leaf *leaves, uint32_t count) {
    param->word_count = (uint32_t)(front_type_size(type) / 4);
    uint8_t *words = base_alloc(lw->cx, param->word_count);
    memset(words, WHORL_U32, param->word_count); // padding
    const char **names = base_alloc_array(lw->cx, param->word_count, sizeof *names);
    for (uint32_t w = 0; w < param->word_count; w++)
        names[w] = "";
    for (uint32_t i = 0; i < count; i++)
        set_words(lw, words, names, &leaves[i], 0, leaves[i].word);
    param->words = words;
    param->doubles = find_doubles(lw, words, param->word_count);
    param->word_names = names;
}

// All members are numbers of one type of 8 or 16 bits: no words, but an array of that type.
static bool are_alike(const struct lower_leaf *leaves, uint32_t count) {
    bool alike = count > 0;
    for (uint32_t i = 0; i < count && alike; i++)
        alike = lower_is_part(&leaves[i]) && leaves[i].type->kind == leaves[0].type->kind;
    return alike;
}

enum whorl_dtype lower_word_type(struct lower *lw, const struct front_symbol *symbol, const struct front_type *type,
                                 const struct lower_leaf *leaves, uint32_t count, struct ir_param *param) {
    enum whorl_dtype elem = WHORL_U32;
    bool mixed = false;
    if (type->kind == FRONT_STRUCT && front_is_laid_out(type))
        base_unsupported(
            lw->cx, symbol->loc,
            "'%s': `packed`, `aligned` and `#pragma pack` put the members of a struct where the GPU does not look for "
            "them: "
            "leave them out, and pad by members of their own",
            symbol->name);
    if (are_alike(leaves, count)) return lower_elem_of(lw, leaves[0].type, false, symbol->loc);
    uint32_t halves = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct front_type *t = leaves[i].type;
        if (lower_is_wide(t) && !lw->user->int64_as_int32) {
            mixed = mixed || elem != WHORL_U32 || i > 0;
            continue;
        }
        if (lower_is_part(&leaves[i]) && type->kind == FRONT_STRUCT && front_type_size(type) % 4 == 0) {
            mixed = true;
            continue;
        }
        if (!front_is_arithmetic(t) || front_type_size(t) != 4)
            base_unsupported(
                lw->cx, symbol->loc,
                "'%s': the fields of a struct that is passed must be float, int, unsigned, 64-bit integers or double "
                "under -fdouble=pair: pass others in an array of their own",
                symbol->name);
        enum whorl_dtype own = lower_elem_of(lw, t, true, symbol->loc);
        halves += leaves[i].is_half;
        if (i == 0)
            elem = own;
        else
            mixed = mixed || own != elem;
    }
    param->is_pair = halves > 0 && halves == count;
    mixed = mixed || (halves && halves != count);
    if (type->kind != FRONT_STRUCT && lower_is_wide(type))
        param->longs = type->kind == FRONT_I64 ? WHORL_I64 : WHORL_U64;
    if (!mixed) return elem;
    describe_words(lw, param, type, leaves, count);
    return WHORL_U32;
}
