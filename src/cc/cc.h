// `whorl cc`: a driver over the system's C compiler that moves OpenMP's parallel regions to the GPU. The door of this
// room; docs/cc.md says what it does for its users.
#ifndef WHORL_CC_H
#define WHORL_CC_H

// The arguments behind `whorl cc`. Returns the exit status: the compiler's own where it was the last to speak.
int cc_main(int argc, char **argv);

#endif
