// A preprocessed file to the same file with its regions moved. Internal to this room.
#ifndef WHORL_CC_ANALYSE_H
#define WHORL_CC_ANALYSE_H

#include <stdio.h>

#include "cc/region.h"

// Analyses the text of `cc -E` for the file `path`. Returns the text to be compiled instead, in cx's arena, or NULL
// where no region is moved. One line a region goes to `report`, which may be NULL. The caller has set cx->bail.
const char *cc_analyse(struct base_cx *cx, const char *path, const char *text, size_t size,
                       const struct cc_options *options, FILE *report);

#endif
