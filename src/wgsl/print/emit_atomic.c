// Atomic updates, of words in memory and of words in the copies that a workgroup has (ir_privates_of).
//
// Copies are filled where their phase begins and combined where it ends, by all invocations of the workgroup: word x by
// invocation x mod its size, in every phase. So what one phase combines is read before the next one fills it.
#include "wgsl/print/emit.h"

// The function of WGSL that does it on words of bits, or of floats (`held`), or NULL: then the word is exchanged until
// nobody else came between.
static const char *native_atomic(enum ir_type type, enum ir_type held, uint8_t op) {
    if (held == IR_F32 && op == IR_ADD) return "atomicAdd";
    if (type != IR_I32 && type != IR_U32 && op != IR_SELECT) return NULL;
    switch (op) {
    case IR_ADD: return "atomicAdd";
    case IR_AND: return "atomicAnd";
    case IR_OR: return "atomicOr";
    case IR_XOR: return "atomicXor";
    case IR_MIN: return type == IR_U32 ? "atomicMin" : NULL;
    case IR_MAX: return type == IR_U32 ? "atomicMax" : NULL;
    case IR_SELECT: return "atomicExchange";
    default: return NULL;
    }
}

// Around what is tried until `done`, with the word that was there in `old`. Bounded, like every loop that waits for
// others: a million lost races in a row are a failure.
static void begin_tries(struct wgsl_emitter *e) {
    wgsl_line(e, "var done = false;");
    wgsl_open(e, "for (var tries = 0u; tries < 1048576u && !done; tries += 1u)");
}

static void end_tries(struct wgsl_emitter *e, enum ir_type type, ir_var old) {
    wgsl_close(e);
    wgsl_open(e, "if (!done)");
    wgsl_failure(e);
    wgsl_close(e);
    if (old) wgsl_line(e, "%s = %s;", e->names[old], wgsl_from_bits(e, type, "old"));
}

// What would not change is left.
static void emit_exchange(struct wgsl_emitter *e, enum ir_type type, uint8_t op, const char *array, const char *index,
                          const char *value, ir_var old) {
    bool ordered = op == IR_MIN || op == IR_MAX;
    const char *place = base_format(e->cx, "%s[at]", array);
    wgsl_open(e, "");
    wgsl_line(e, "let at = %s;", index);
    wgsl_line(e, "let operand = %s;", value);
    wgsl_line(e, "var old = atomicLoad(&%s);", place);
    begin_tries(e);
    wgsl_line(e, "let now = %s;", wgsl_from_bits(e, type, "old"));
    wgsl_line(e, "let next = %s;", wgsl_fold(e, op, type, "now", "operand"));
    if (ordered) wgsl_line(e, "done = next == now;");
    if (ordered) wgsl_open(e, "if (!done)");
    wgsl_line(e, "let answer = atomicCompareExchangeWeak(&%s, old, %s);", place, wgsl_to_bits(e, type, "next"));
    wgsl_line(e, "done = answer.exchanged;");
    wgsl_line(e, "old = answer.old_value;");
    if (ordered) wgsl_close(e);
    end_tries(e, type, old);
    wgsl_close(e);
}

// The word takes the value if it is as expected. WGSL's function may fail without a reason: then it is tried again.
static void emit_compare(struct wgsl_emitter *e, enum ir_type type, const char *place, const char *expected,
                         const char *value, ir_var old) {
    wgsl_open(e, "");
    wgsl_line(e, "let wanted = %s;", wgsl_to_bits(e, type, expected));
    wgsl_line(e, "let operand = %s;", wgsl_to_bits(e, type, value));
    wgsl_line(e, "var old = wanted;");
    begin_tries(e);
    wgsl_line(e, "let answer = atomicCompareExchangeWeak(&%s, wanted, operand);", place);
    wgsl_line(e, "old = answer.old_value;");
    wgsl_line(e, "done = answer.exchanged || old != wanted;");
    end_tries(e, type, old);
    wgsl_close(e);
}

// Word `index` (u32 text) of the array becomes itself OP value; `old`, if any, takes what it was. held: F32 for words
// of floats, else U32.
static void update_word(struct wgsl_emitter *e, enum ir_type type, enum ir_type held, uint8_t op, const char *array,
                        const char *index, const char *value, ir_var old) {
    const char *function = native_atomic(type, held, op);
    bool bits = held != IR_F32;
    if (!function) {
        if (!bits) base_bug(e->cx, "words of floats do not have operation %u", op);
        emit_exchange(e, type, op, array, index, value, old);
        return;
    }
    const char *operand = bits ? wgsl_to_bits(e, type, value) : value,
               *call = base_format(e->cx, "%s(&%s[%s], %s)", function, array, index, operand);
    if (old)
        wgsl_line(e, "%s = %s;", e->names[old], bits ? wgsl_from_bits(e, type, call) : call);
    else
        wgsl_line(e, "%s;", call);
}

// ---- copies ---------------------------------------------------------------------------------------------------------

static enum ir_type type_of(const struct wgsl_emitter *e, ir_array a) {
    return ir_elem_type((enum whorl_dtype)e->u->arrays[a].elem);
}

static enum ir_type held_at(const struct wgsl_emitter *e, const struct wgsl_place *place) {
    return ir_elem_type(e->k->vectors.forms[place->slot].elem);
}

// The smaller and the larger of signed words: those of unsigned ones, with the first bit turned over. Memory holds
// others, and takes an exchange.
static const char *turning(const struct wgsl_emitter *e, const struct ir_private *p) {
    if (type_of(e, p->array) != IR_I32) return NULL;
    return p->op == IR_MIN ? "atomicMin" : p->op == IR_MAX ? "atomicMax" : NULL;
}

static uint32_t empty_word(const struct wgsl_emitter *e, const struct ir_private *p) {
    return ir_private_identity(e->u, p) ^ (turning(e, p) ? 0x80000000u : 0);
}

static void update_copy(struct wgsl_emitter *e, const struct ir_stmt_node *s, struct wgsl_index *index,
                        const char *value) {
    const struct ir_private *p = e->privates.list, *end = p + e->privates.count;
    while (p < end && p->array != s->atomic.array)
        p++;
    if (p == end) base_bug(e->cx, "array %s has no copy here", e->u->arrays[s->atomic.array].name);
    index->constant += p->first;
    const char *at = wgsl_index_text(e, index);
    if (turning(e, p))
        wgsl_line(e, "%s(&private_words[%s], bitcast<u32>(%s) ^ 0x80000000u);", turning(e, p), at, value);
    else
        update_word(e, type_of(e, p->array), IR_U32, p->op, "private_words", at, value, 0);
}

// `x`: the words of a copy that are this invocation's, one after the other.
static void open_words(struct wgsl_emitter *e, const struct ir_private *p) {
    uint32_t size = e->in->workgroup_size, turn = (size - p->first % size) % size;
    const char *from = turn ? base_format(e->cx, "(li + %uu) %% %uu", turn, size) : "li";
    if (p->words > size) {
        wgsl_open(e, base_format(e->cx, "for (var x = %s; x < %uu; x += %uu)", from, p->words, size));
        return;
    }
    wgsl_open(e, base_format(e->cx, "if (%s < %uu)", from, p->words));
    wgsl_line(e, "let x = %s;", from);
}

static const char *copy_word(struct wgsl_emitter *e, const struct ir_private *p) {
    return base_format(e->cx, p->first ? "private_words[x + %uu]" : "private_words[x]", p->first);
}

void wgsl_privates_begin(struct wgsl_emitter *e, ir_stmt parfor) {
    e->privates = ir_privates_of(e->u, parfor);
    for (uint32_t i = 0; i < e->privates.count; i++) {
        const struct ir_private *p = &e->privates.list[i];
        open_words(e, p);
        wgsl_line(e, "atomicStore(&%s, %s);", copy_word(e, p), wgsl_const(e, IR_U32, empty_word(e, p)));
        wgsl_close(e);
    }
    if (e->privates.count) wgsl_line(e, "workgroupBarrier();");
}

void wgsl_privates_end(struct wgsl_emitter *e) {
    if (e->privates.count) wgsl_line(e, "workgroupBarrier();");
    for (uint32_t i = 0; i < e->privates.count; i++) {
        const struct ir_private *p = &e->privates.list[i];
        const struct wgsl_place *to = &e->in->places[p->array];
        enum ir_type type = type_of(e, p->array);
        const char *place = to->offset_elems ? base_format(e->cx, "x + %uu", to->offset_elems) : "x",
                   *value = wgsl_from_bits(e, type, turning(e, p) ? "(word ^ 0x80000000u)" : "word");
        open_words(e, p);
        wgsl_line(e, "let word = atomicLoad(&%s);", copy_word(e, p));
        wgsl_open(e, base_format(e->cx, "if (word != %s)", wgsl_const(e, IR_U32, empty_word(e, p))));
        update_word(e, type, held_at(e, to), p->op, base_format(e->cx, "b%u", to->slot), place, value, 0);
        wgsl_close(e);
        wgsl_close(e);
    }
    e->privates.count = 0;
}

// ---- the statement --------------------------------------------------------------------------------------------------

void wgsl_atomic(struct wgsl_emitter *e, const struct ir_stmt_node *s) {
    ir_array a = s->atomic.array;
    const struct wgsl_place *to = &e->in->places[a];
    if (to->slot >= e->in->binding_count || !e->k->vectors.forms[to->slot].atomic || wgsl_is_packed(e->k, a))
        base_bug(e->cx, "array %s is not made for atomic updates", e->u->arrays[a].name);
    struct wgsl_index index = wgsl_linear(e, a, s->atomic.indices, s->atomic.index_count);
    const char *value = wgsl_expr(e, s->atomic.value);
    if (s->flags & IR_FLAG_GROUP) {
        update_copy(e, s, &index, value);
        return;
    }
    index.constant += to->offset_elems;
    const char *array = base_format(e->cx, "b%u", to->slot), *at = wgsl_index_text(e, &index);
    if (s->atomic.expected)
        emit_compare(e, type_of(e, a), base_format(e->cx, "%s[%s]", array, at), wgsl_expr(e, s->atomic.expected), value,
                     s->atomic.old);
    else
        update_word(e, type_of(e, a), held_at(e, to), (uint8_t)s->atomic.op, array, at, value, s->atomic.old);
}
