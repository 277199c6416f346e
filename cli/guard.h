// Commands that compile or run work in a child process, which this one watches: see guard.c.
#ifndef WHORL_CLI_GUARD_H
#define WHORL_CLI_GUARD_H

#include "options.h"

// What the worker is doing: it decides what a signal or the end of the time means.
enum guard_stage {
    GUARD_COMPILING,
    GUARD_OPENING,   // the device, with its probe
    GUARD_READING,   // inputs
    GUARD_STARTING,  // a run on a GPU: its kernels are being made
    GUARD_IN_SLICES, // and its slices run: it stops between two of them by itself
    GUARD_SAVING,    // and its checkpoint is written
    GUARD_ON_CPU,    // the program as native code
    GUARD_RACING,    // the program in the interpreter
    GUARD_WRITING,   // results
    GUARD_WAITING,   // for a line of standard input
    GUARD_SERVING,   // requests
    GUARD_STAGES
};

// What is tried instead of what fell over.
enum guard_way { GUARD_AS_ASKED, GUARD_STEPS, GUARD_CPU };

// Runs `work` in a worker and returns its exit code, or the one of the reason for which it was ended. A worker that
// cannot be started: `work` runs here, unwatched.
enum cli_exit guard_run(const struct cli_options *options, enum cli_exit (*work)(const struct cli_options *options));

// ---- for the worker ----
void guard_stage(enum guard_stage stage);
// Buffers of the program: its memory may grow by some times this before it counts as a driver that is out of hand.
void guard_expect(double buffer_bytes);
// If the worker falls over from here on, the command starts again in this way; AS_ASKED: it ends.
void guard_instead(enum guard_way way);
enum guard_way guard_chosen(void);
// Ends the worker so that the command starts again in that way; returns where there is none, or nobody watches.
void guard_begin_anew(const char *why);
bool guard_begins_anew(void);       // if asked to
const char *guard_why(void);        // what was said by the worker that last did; "": none
bool guard_stopped(void);           // by a signal
bool guard_forwards_terminal(void); // what is typed comes to the worker's standard input
double guard_left_s(void);          // of --max-time; 0: no limit
// The command is done but for cleaning up, which may take no more than a moment.
void guard_done(enum cli_exit code);

#endif
