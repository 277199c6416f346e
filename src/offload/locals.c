// Arrays of functions, on the stack: the program says of those that it hands to functions with regions where they are,
// for as long as the call lasts (src/cc/local_arrays.c). A call that longjmp ended has not taken back what it said: so
// each has a number, which stands in the caller's frame, too.
#include <stdint.h>

#include "offload/offload.h"

enum { MOST = 32 };
struct local {
    const volatile char *at;
    unsigned long long bytes;
    const volatile unsigned long long *mark;
    unsigned long long number;
};
static __thread struct local list[MOST];
static __thread unsigned count;
static __thread unsigned long long numbers;

void whorl_cc_hold(const volatile void *at, unsigned long long bytes, unsigned long long *mark) {
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    while (count && (uintptr_t)list[count - 1].mark < here) // of frames that are gone
        count--;
    *mark = 0;
    if (count == MOST) return;
    *mark = ++numbers;
    list[count++] = (struct local){at, bytes, mark, numbers};
}

void whorl_cc_drop(unsigned long long *mark) {
    while (*mark && count && list[count - 1].number >= *mark)
        count--;
}

bool offload_find_local(const void *p, struct offload_block *out) {
    uintptr_t at = (uintptr_t)p, here = (uintptr_t)__builtin_frame_address(0);
    for (unsigned i = count; i-- > 0;) {
        const struct local *l = &list[i];
        if ((uintptr_t)l->mark < here || *l->mark != l->number || at - (uintptr_t)l->at >= l->bytes) continue;
        *out = (struct offload_block){.base = (char *)(uintptr_t)l->at, .bytes = l->bytes, .is_local = true};
        return true;
    }
    return false;
}
