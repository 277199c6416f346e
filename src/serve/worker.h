// The one thread that uses the decoder, and the texts that wait for it.
#ifndef WHORL_SERVE_WORKER_H
#define WHORL_SERVE_WORKER_H

#include "serve/job.h"

struct worker;

struct worker_counts {
    uint32_t waiting, running;
    uint64_t prompt_tokens, reused_tokens, made_tokens, dropped, failed, calls;
    double busy_s;
};

// The decoder is loaded, and is the worker's until worker_destroy. wake: called by the worker's thread when a job has
// something new. WHORL_MEMORY: no thread, or no memory.
enum whorl_status worker_create(struct decoder *decoder, uint32_t most_waiting, void (*wake)(void *user), void *user,
                                struct worker **out, struct whorl_error *err);
// Ends at the next slice; jobs that are not done are dropped. NULL is fine.
void worker_destroy(struct worker *w);
// Takes the job over. False: too many are waiting, and it is still the caller's.
bool worker_add(struct worker *w, struct job *job);
// Nobody is interested in it any more; it is freed, now or as soon as its call is over.
void worker_drop(struct worker *w, struct job *job);
void worker_lock(struct worker *w);
void worker_unlock(struct worker *w);
struct worker_counts worker_count(struct worker *w);
// False: the device failed, *out_why says how, and every job fails.
bool worker_is_well(struct worker *w, char *out_why, size_t size);

#endif
