// 64-bit FNV-1a (Fowler, Noll, Vo: www.isthe.com/chongo/tech/comp/fnv). Tells files and texts apart; it does not keep
// anybody from forging one.
#include "base/base.h"

uint64_t base_hash(uint64_t hash, const void *data, size_t size_bytes) {
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size_bytes; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    return hash;
}
