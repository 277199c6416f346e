// The stats of a run: which strategy it was, why, and what was counted.
#ifndef WHORL_RUN_NOTES_H
#define WHORL_RUN_NOTES_H

#include "run/session/session.h"

// What is known before it begins.
void run_notes_begin(const struct whorl_session *s, struct whorl_stats *stats);
// What came of it: the strategy that it ended with, and the counts since it began.
void run_notes_end(const struct whorl_session *s, uint32_t calls, struct whorl_stats *stats);

#endif
