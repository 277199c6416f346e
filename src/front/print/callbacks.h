// Functions that are handed to functions by name. Internal to this room.
#ifndef WHORL_FRONT_CALLBACKS_H
#define WHORL_FRONT_CALLBACKS_H

#include "front/print/outline.h"

// Rewrites the tokens of an outline; leaves all as they are where it does not understand one.
void front_callbacks(struct base_cx *cx, struct front_outline *io, struct front_names *names);

#endif
