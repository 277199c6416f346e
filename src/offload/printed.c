// What a region printed on the device: kept until its results are stored, and printed then. Where they are not, the CPU
// runs the region, and prints itself.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "offload/offload.h"
#include "run/api/session_words.h"

size_t __real_fwrite(const void *from, size_t size, size_t count, FILE *file); // without looking for places

void offload_hear(void *user, const char *text, size_t size) {
    struct offload_printed *p = user;
    if (p->room - p->size < size) {
        size_t room = (p->size + size) * 2 + 256;
        char *more = realloc(p->text, room);
        p->is_lost = p->is_lost || !more;
        if (!more) return;
        p->text = more;
        p->room = room;
    }
    memcpy(p->text + p->size, text, size);
    p->size += size;
}

bool offload_is_heard(struct offload_state *state, const whorl_session *session) {
    uint32_t unsaid = run_session_unsaid(session);
    if (unsaid)
        return offload_refuse(state, "it prints more than there is room for, or doubles out of the range of pairs");
    return !state->printed.is_lost || offload_refuse(state, "out of memory for what it prints");
}

void offload_print(struct offload_state *state) {
    struct offload_printed *p = &state->printed;
    if (p->size) __real_fwrite(p->text, 1, p->size, stdout);
    p->size = 0;
}
