// Starting another program and catching what it says.
#ifndef WHORL_RUN_PROCESS_H
#define WHORL_RUN_PROCESS_H

#include "base/base.h"

// Runs argv[0] (looked up in PATH) and waits; stdin is empty, stdout and stderr together go to `output` (cut to size,
// NUL-terminated). True if it exited with 0.
bool run_process(char *const argv[], char *output, size_t size);

#endif
