// The one thread that uses the decoder, and the texts that wait for it.
#ifndef WHORL_SERVE_WORKER_H
#define WHORL_SERVE_WORKER_H

#include "decode/decoder.h"
#include "serve/stops.h"

struct worker;

enum job_state { JOB_WAITS, JOB_RUNS, JOB_DONE };
enum job_finish { FINISH_STOP, FINISH_LENGTH, FINISH_FAILED };

struct job_token {
    uint32_t id;
    float likely; // logarithm of its share
    size_t text;  // bytes of the answer's text before it
};

// A text to be continued. What stands above the line is the caller's to fill and not changed after worker_add; what
// stands below is read between worker_lock and worker_unlock.
struct job {
    struct model_tokens prompt;
    uint32_t most; // new tokens, at most
    struct decoder_sampling sampling;
    bool judge; // tokens are wanted, with their logarithms
    struct stops stops;
    char client[64]; // who asked: those with fewer running texts come first
    // ----
    enum job_state state;
    enum job_finish finish; // of JOB_DONE
    char why[200];          // of FINISH_FAILED
    char *text;             // the answer so far, as far as it can be given away; whole characters
    size_t text_bytes;
    struct job_token *tokens; // [made]
    uint32_t made, reused;    // reused: tokens of the prompt that were computed before
    // the worker's own
    uint32_t slot;
    struct model_detokenizer detokenizer;
    size_t held_bytes, room; // text and what is held back; room for it
    bool is_dropped;
    struct job *next;
};
struct job *job_create(void); // of zeros, or NULL
void job_destroy(struct job *job);

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
