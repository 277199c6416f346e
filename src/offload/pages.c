// Pages of the program filled while its other threads may look at them: they are moved to another address, where nobody
// looks, and moved back with what is new in them. What is left in between has the protection that it had.
#define _GNU_SOURCE // mremap
#include <errno.h>
#include <sys/mman.h>

#include "offload/place.h"

enum { PAGE = OFFLOAD_PAGE, HUGE = 2 << 20 };

#ifndef MREMAP_DONTUNMAP
#define MREMAP_DONTUNMAP 4
#endif

// A range of several mappings moves in parts. Nothing has moved where this returns false.
static bool move(char *from, char *to, size_t bytes, int flags) {
    if (mremap(from, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED | flags, to) != MAP_FAILED) return true;
    if (errno != EFAULT || bytes <= PAGE) return false;
    size_t half = bytes / 2 / PAGE * PAGE;
    if (half == 0) half = PAGE;
    if (!move(from, to, half, flags)) return false;
    if (move(from + half, to + half, bytes - half, flags)) return true;
    (void)mremap(to, half, half, MREMAP_MAYMOVE | MREMAP_FIXED, from);
    return false;
}

bool offload_pages_take(struct offload_pages *out, char *from, size_t bytes) {
    size_t room = bytes + HUGE;
    char *reserved = mmap(NULL, room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (reserved == MAP_FAILED) return false;
    // whole tables of pages move at once where both addresses are alike
    size_t shift = ((uintptr_t)from - (uintptr_t)reserved) % HUGE;
    *out = (struct offload_pages){reserved + shift, bytes, reserved, room};
    if (move(from, out->at, bytes, MREMAP_DONTUNMAP)) return true;
    munmap(reserved, room);
    return false;
}

bool offload_pages_put(struct offload_pages *pages, char *to) {
    bool ok = move(pages->at, to, pages->bytes, 0);
    if (ok) munmap(pages->reserved, pages->reserved_bytes);
    return ok;
}
