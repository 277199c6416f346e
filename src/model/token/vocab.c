// The two tables of a tokenizer. The hash begins with a number that no file knows, and is a polynomial over a prime
// field, so that no file can make its tokens meet; merges need none: they are sorted and searched.
#include "model/token/vocab.h"

#include <stdlib.h>
#include <string.h>

#include "model/token/unicode.h"

#define PRIME ((UINT64_C(1) << 61) - 1)

static uint64_t times(uint64_t a, uint64_t b) {
    unsigned __int128 product = (unsigned __int128)a * b;
    uint64_t sum = (uint64_t)(product & PRIME) + (uint64_t)(product >> 61);
    return sum >= PRIME ? sum - PRIME : sum;
}

static uint64_t hash_of(const struct vocab *v, const char *text, size_t size_bytes) {
    uint64_t hash = size_bytes + 1;
    for (size_t at = 0; at < size_bytes; at += 7) {
        uint64_t word = 0;
        memcpy(&word, text + at, size_bytes - at < 7 ? size_bytes - at : 7);
        hash = times(hash, v->seed) + word;
        if (hash >= PRIME) hash -= PRIME;
    }
    hash = times(hash, v->seed);
    return hash ^ hash >> 32;
}

void vocab_init(struct model_work *w, struct vocab *v, uint32_t count) {
    memset(v, 0, sizeof *v);
    if (count > VOCAB_MOST) model_refuse(w, WHORL_LIMIT, "its vocabulary has more than %d tokens", VOCAB_MOST);
    v->tokens = base_alloc_array(&w->cx, count, sizeof *v->tokens);
    v->count = count;
    v->slot_mask = 15;
    while (v->slot_mask < 2 * count)
        v->slot_mask = v->slot_mask * 2 + 1;
    v->slots = base_alloc_array(&w->cx, (size_t)v->slot_mask + 1, sizeof *v->slots);
    memset(v->slots, 0xff, ((size_t)v->slot_mask + 1) * sizeof *v->slots);
    memset(v->bytes, 0xff, sizeof v->bytes);
    v->unknown = VOCAB_NONE;
    v->seed = model_random_seed() % (PRIME - 1000) + 500;
}

// The slot of the token with these bytes, or the free one where it would stand.
static uint32_t *slot_of(const struct vocab *v, const char *text, size_t size_bytes) {
    uint32_t at = (uint32_t)hash_of(v, text, size_bytes) & v->slot_mask;
    for (;; at = (at + 1) & v->slot_mask) {
        const struct vocab_token *t = v->slots[at] == VOCAB_NONE ? NULL : &v->tokens[v->slots[at]];
        if (!t || (t->size_bytes == size_bytes && memcmp(t->text, text, size_bytes) == 0)) return &v->slots[at];
    }
}

void vocab_index(struct vocab *v, uint32_t id) {
    uint32_t *slot = slot_of(v, v->tokens[id].text, v->tokens[id].size_bytes);
    if (*slot == VOCAB_NONE) *slot = id;
}

uint32_t vocab_find(const struct vocab *v, const char *text, size_t size_bytes) {
    return *slot_of(v, text, size_bytes);
}

// ---- merges ----

static int compare_merges(const void *a, const void *b) {
    const struct vocab_merge *x = a, *y = b;
    if (x->left != y->left) return x->left < y->left ? -1 : 1;
    if (x->right != y->right) return x->right < y->right ? -1 : 1;
    return x->rank < y->rank ? -1 : x->rank > y->rank;
}

void vocab_sort_merges(struct model_work *w, struct vocab *v) {
    uint32_t kept = 0;
    if (v->merge_count) qsort(v->merges, v->merge_count, sizeof *v->merges, compare_merges);
    for (uint32_t i = 0; i < v->merge_count; i++) {
        const struct vocab_merge *m = &v->merges[i];
        bool again = i + 1 < v->merge_count && m[1].left == m->left && m[1].right == m->right;
        if (!again) v->merges[kept++] = *m;
    }
    v->merge_count = kept;
    v->first = base_alloc_array(&w->cx, (size_t)v->count + 1, sizeof *v->first);
    for (uint32_t id = 0, i = 0; id <= v->count; id++) {
        while (i < kept && v->merges[i].left < id)
            i++;
        v->first[id] = i;
    }
}

const struct vocab_merge *vocab_merge_of(const struct vocab *v, uint32_t left, uint32_t right) {
    uint32_t low = v->first[left], high = v->first[left + 1];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (v->merges[middle].right < right)
            low = middle + 1;
        else
            high = middle;
    }
    return low < v->first[left + 1] && v->merges[low].right == right ? &v->merges[low] : NULL;
}

// ---- bytes as text ----

static int digit_of(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

int vocab_byte_of(const char *text, size_t size_bytes) {
    if (size_bytes != 6 || memcmp(text, "<0x", 3) != 0 || text[5] != '>') return -1;
    int high = digit_of(text[3]), low = digit_of(text[4]);
    return high < 0 || low < 0 ? -1 : high * 16 + low;
}

// Bytes that are printable in Latin-1 stand for themselves; the others, in order, are U+0100 and on.
static int byte_of_character(int32_t c) {
    if ((c >= '!' && c <= '~') || (c >= 0xa1 && c <= 0xac) || (c >= 0xae && c <= 0xff)) return c;
    if (c < 0x100 || c > 0x143) return -1;
    int nth = c - 0x100;
    if (nth <= 0x20) return nth;               // 0x00 to 0x20
    if (nth <= 0x42) return 0x7f + nth - 0x21; // 0x7f to 0xa0
    return 0xad;
}

bool vocab_bytes_of(const char *text, size_t size_bytes, char *out, uint32_t *out_size) {
    uint32_t size = 0;
    for (size_t at = 0; at < size_bytes;) {
        int byte = byte_of_character(unicode_next(text, &at));
        if (byte < 0) return false;
        out[size++] = (char)byte;
    }
    *out_size = size;
    return true;
}
