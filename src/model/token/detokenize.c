// Tokens to text while they come. A token may end inside of a character: its bytes wait. The rule for bytes that are no
// UTF-8 is that of the Unicode standard (chapter 3.9, best practice): the longest beginning of a character that cannot
// go on becomes one U+FFFD.
#include <string.h>

#include "model/token/parts.h"

static const char replacement[] = "\xef\xbf\xbd";

// What the bytes are: a whole character (its length), the beginning of one (0), or wrong (minus the length of what is
// replaced).
static int judge(const unsigned char *p, uint32_t count) {
    unsigned char c = p[0];
    uint32_t length = c < 0x80 ? 1 : c >= 0xc2 && c < 0xe0 ? 2 : (c & 0xf0) == 0xe0 ? 3 : c >= 0xf0 && c < 0xf5 ? 4 : 0;
    if (!length) return -1;
    unsigned char low = c == 0xe0 ? 0xa0 : c == 0xf0 ? 0x90 : 0x80, high = c == 0xed ? 0x9f : c == 0xf4 ? 0x8f : 0xbf;
    for (uint32_t i = 1; i < length && i < count; i++) {
        if (p[i] < low || p[i] > high) return -(int)i;
        low = 0x80;
        high = 0xbf;
    }
    return count < length ? 0 : (int)length;
}

static size_t put(char *out, const void *data, size_t size_bytes) {
    memcpy(out, data, size_bytes);
    return size_bytes;
}

static size_t add_byte(struct model_detokenizer *d, unsigned char byte, char *out) {
    size_t size = 0;
    d->waiting[d->count++] = byte;
    while (d->count) {
        int length = judge(d->waiting, d->count);
        if (length == 0) break;
        uint32_t used = (uint32_t)(length > 0 ? length : -length);
        size += length > 0 ? put(out + size, d->waiting, used) : put(out + size, replacement, 3);
        d->count -= used;
        memmove(d->waiting, d->waiting + used, d->count);
    }
    return size;
}

size_t model_detokenize_room(const struct model_tokenizer *t) { return t->room_bytes; }

size_t model_detokenize(const struct model_tokenizer *t, struct model_detokenizer *d, uint32_t id, char *out) {
    const struct vocab_token *token = id < t->vocab.count ? &t->vocab.tokens[id] : NULL;
    size_t size = 0;
    if (!token || token->kind == VOCAB_ABSENT || (token->kind == VOCAB_SPECIAL && !d->keep_special)) return 0;
    int byte = token->is_byte ? vocab_byte_of(token->text, token->size_bytes) : -1;
    if (byte >= 0) {
        d->begun = true;
        return add_byte(d, (unsigned char)byte, out);
    }
    for (uint32_t at = 0; at < token->size_bytes;) {
        bool space = t->metaspaces && token->size_bytes - at >= 3 && memcmp(token->text + at, "\xe2\x96\x81", 3) == 0;
        unsigned char c = space ? ' ' : (unsigned char)token->text[at];
        at += space ? 3 : 1;
        if (!(t->strip_first && !d->begun && c == ' ')) size += add_byte(d, c, out + size);
        d->begun = true;
    }
    return size;
}

size_t model_detokenize_end(struct model_detokenizer *d, char *out) {
    size_t size = d->count ? put(out, replacement, 3) : 0; // what waits is the beginning of one character
    *d = (struct model_detokenizer){.keep_special = d->keep_special};
    return size;
}
