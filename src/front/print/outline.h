// What the entry reaches, found on tokens alone: the door between the preprocessor and the parser. Internal to this
// room.
#ifndef WHORL_FRONT_OUTLINE_H
#define WHORL_FRONT_OUTLINE_H

#include "front/text/token.h"

struct front_outline {
    struct front_token *tokens; // what is to be parsed and printed; the last one is END
    uint32_t count;
    const char *entry;         // NULL: brackets do not match, and the parser says where
    const char *const *others; // names of what was left out, up to a NULL: for did-you-mean
};
// `entry` NULL: the one function with parallel loops. Bails where that is not clear.
struct front_outline front_outline(struct base_cx *cx, const struct front_token *tokens, uint32_t count,
                                   const char *entry);

#endif
