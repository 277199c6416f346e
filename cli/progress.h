// Progress of a run: a bar on a terminal, at most one plain line a second elsewhere and fewer that say the same, nothing
// with -q.
#ifndef WHORL_CLI_PROGRESS_H
#define WHORL_CLI_PROGRESS_H

#include "base/base.h"

struct progress {
    const char *name; // what is running
    bool quiet, is_resumed;
    bool saves;              // a checkpoint, when it is stopped
    double before, before_s; // of a resumed run: what was done at its first report, and when that came
    double last_s;           // when something was printed
    bool drawn;              // a bar stands on the terminal's line
    char doing[256];         // of the last line
    uint64_t slice;
    double pause_s; // until another one that says the same
};

// For whorl_run_options: progress = progress_step, user = struct progress. A signal that asks to end (guard.h) cancels.
bool progress_step(void *user, const struct whorl_progress *p);
// For whorl_run_options.print, print_user = struct progress: the program's own lines, on stdout.
void progress_print(void *user, const char *text, size_t size_bytes);
// Takes the bar away.
void progress_end(struct progress *p);

#endif
