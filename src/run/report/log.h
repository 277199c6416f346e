// What a program said in its last run, read from the log (struct plan_log): lines, and asserts that failed.
#ifndef WHORL_RUN_LOG_H
#define WHORL_RUN_LOG_H

#include "run/session/session.h"

// Gives the lines to options->print in the order of the sequential program. WHORL_SOURCE if an assert failed.
enum whorl_status run_log_finish(struct whorl_session *s, const struct whorl_run_options *options,
                                 struct whorl_error *err);

// On the CPU the program says it while it runs.
struct run_listener {
    const struct whorl_run_options *options;
    char failed[1024]; // the first assert
    uint32_t line;
};
void run_log_hear(void *listener, const char *text, unsigned long size_bytes, int failed_line);
enum whorl_status run_log_verdict(const struct run_listener *listener, struct whorl_error *err);
bool run_log_has_asserts(const struct plan *p);

#endif
