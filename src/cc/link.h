// What the linker is told beside the user's own. Internal to this room.
#ifndef WHORL_CC_LINK_H
#define WHORL_CC_LINK_H

#include <stdbool.h>

#include "cc/spawn.h"

// Does this object or library hold a region that was moved?
bool cc_has_regions(const char *path);
// Adds the runtime, which wraps the functions that allocate memory. False after a message: it is not there.
bool cc_put_runtime(struct cc_list *command);

#endif
