// Arrays of a session as the device has them: of doubles, the pairs of floats. For the runtime of `whorl cc`, which
// gives a pair more meanings than a double has (offload/doubles.c).
#ifndef WHORL_RUN_SESSION_WORDS_H
#define WHORL_RUN_SESSION_WORDS_H

#include "whorl.h"

// As whorl_session_write_part and whorl_session_read_part, without a conversion. WHORL_INVALID on the CPU device.
enum whorl_status run_session_write_words(whorl_session *s, size_t param, size_t offset, const void *data,
                                          size_t size_bytes, struct whorl_error *err);
enum whorl_status run_session_read_words(whorl_session *s, size_t param, size_t offset, void *data, size_t size_bytes,
                                         struct whorl_error *err);
// Lines that the last run printed and for which there was no room, and doubles as pairs of floats in others that are
// infinite or no number: a caller may have meant another number by it.
uint32_t run_session_unsaid(const whorl_session *s);

#endif
