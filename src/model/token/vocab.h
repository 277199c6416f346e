// Tokens by id and by bytes, and which two become one.
#ifndef WHORL_MODEL_VOCAB_H
#define WHORL_MODEL_VOCAB_H

#include "model/file/work.h"

enum { VOCAB_MOST = 1 << 19 }; // tokens; merges
#define VOCAB_NONE UINT32_MAX

enum vocab_kind {
    VOCAB_ABSENT,
    VOCAB_NORMAL,
    VOCAB_ADDED,  // found in texts before anything else; never made of others
    VOCAB_SPECIAL // added, and no text of the model's
};
struct vocab_token {
    const char *text; // the bytes that it stands for (added: as written); SentencePiece's spaces are U+2581
    uint32_t size_bytes;
    uint8_t kind;
    bool is_byte; // "<0x0A>", which is decoded to that byte
};
struct vocab_merge {
    uint32_t left, right;
    uint32_t rank; // the lowest goes first
    uint32_t result;
};
struct vocab {
    struct vocab_token *tokens;
    uint32_t count;  // ids are below
    uint32_t *slots; // hash table of ids, slot_mask + 1 of them
    uint32_t slot_mask;
    uint64_t seed;
    struct vocab_merge *merges; // sorted by left, then right
    uint32_t merge_count;
    uint32_t *first;     // [count + 1] merges of each left
    uint32_t bytes[256]; // ids of "<0x..>"
    uint32_t unknown;    // or VOCAB_NONE: what is unknown is left out
    bool fuse_unknown, byte_fallback, ignore_merges;
    bool byte_level; // the smallest tokens are bytes, not characters
};

void vocab_init(struct model_work *w, struct vocab *v, uint32_t count);
// The token is found by its bytes from now on; of equal ones the first.
void vocab_index(struct vocab *v, uint32_t id);
uint32_t vocab_find(const struct vocab *v, const char *text, size_t size_bytes); // or VOCAB_NONE
// Once all merges are there, in any order; of equal pairs the one with the highest rank stays.
void vocab_sort_merges(struct model_work *w, struct vocab *v);
const struct vocab_merge *vocab_merge_of(const struct vocab *v, uint32_t left, uint32_t right); // NULL: none

// The byte that "<0x0A>" stands for; -1: it has another form.
int vocab_byte_of(const char *text, size_t size_bytes);
// GPT-2 writes each byte as a printable character. Text in that alphabet to bytes (no more than it has itself); false
// where it has other characters.
bool vocab_bytes_of(const char *text, size_t size_bytes, char *out, uint32_t *out_size);

// bpe.c: the tokens of one piece, appended.
struct vocab_ids {
    uint32_t *ids, count, cap;
};
void vocab_encode(struct model_work *w, const struct vocab *v, const char *text, size_t size_bytes,
                  struct vocab_ids *out);

#endif
