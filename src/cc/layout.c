// Structs that mix doubles with other types under -fdouble=float: on the device each double in them is a float, so its
// words stand elsewhere than the program's bytes. The table says where each word comes from (region_abi.h).
#include "cc/region.h"
#include "front/parse/ast.h"

enum { MOST_WORDS = 4096 };

static uint64_t host_align(const struct front_type *t) {
    uint64_t align = 1;
    while (t->kind == FRONT_ARRAY)
        t = t->base;
    if (t->kind != FRONT_STRUCT) return t->was_double ? sizeof(double) : front_type_align(t);
    for (uint32_t i = 0; i < t->record->count; i++) {
        uint64_t own = host_align(t->record->fields[i].type);
        align = own > align ? own : align;
    }
    return align;
}

static uint64_t round_up(uint64_t bytes, uint64_t align) { return (bytes + align - 1) / align * align; }

static uint64_t host_size(const struct front_type *t) {
    if (t->kind == FRONT_ARRAY) return t->length * host_size(t->base);
    if (t->kind != FRONT_STRUCT) return t->was_double ? sizeof(double) : front_type_size(t);
    if (!front_has_doubles(t)) return front_type_size(t); // unions, too
    uint64_t at = 0;
    for (uint32_t i = 0; i < t->record->count; i++)
        at = round_up(at, host_align(t->record->fields[i].type)) + host_size(t->record->fields[i].type);
    return round_up(at, host_align(t));
}

// Bytes that are alike on both sides. Both places are the same within their words, as a double is whole words on both.
static void put_words(unsigned *words, uint64_t device, uint64_t host, uint64_t bytes) {
    for (uint64_t at = device / 4; at <= (device + bytes - 1) / 4; at++)
        words[at] = WHORL_CC_WORD(host - device % 4 + 4 * (at - device / 4));
}

// False: a union of doubles and others, which has no one form.
static bool put_type(unsigned *words, const struct front_type *t, uint64_t device, uint64_t host) {
    bool ok = true;
    if (t->kind == FRONT_ARRAY) {
        for (uint64_t i = 0; i < t->length && ok; i++)
            ok = put_type(words, t->base, device + i * front_type_size(t->base), host + i * host_size(t->base));
    } else if (t->was_double) {
        words[device / 4] = WHORL_CC_DOUBLE(host);
    } else if (t->kind != FRONT_STRUCT || !front_has_doubles(t)) {
        put_words(words, device, host, front_type_size(t));
    } else {
        ok = !t->record->is_union;
        for (uint32_t i = 0; i < t->record->count && ok; i++) {
            const struct front_field *f = &t->record->fields[i];
            host = round_up(host, host_align(f->type));
            ok = put_type(words, f->type, device + f->offset_bytes, host);
            host += host_size(f->type);
        }
    }
    return ok;
}

const unsigned *cc_layout(struct base_cx *cx, const struct front_type *t) {
    uint64_t words = front_type_size(t) / 4;
    if (front_type_size(t) % 4 || words == 0 || words > MOST_WORDS) return NULL;
    unsigned *layout = base_alloc_array(cx, words + 2, sizeof *layout);
    layout[0] = (unsigned)host_size(t);
    layout[1] = (unsigned)words;
    for (uint64_t w = 0; w < words; w++)
        layout[w + 2] = WHORL_CC_PADDING;
    return put_type(layout + 2, t, 0, 0) ? layout : NULL;
}
