// A text that is to be continued for somebody, and what became of it.
#ifndef WHORL_SERVE_JOB_H
#define WHORL_SERVE_JOB_H

#include "decode/decoder.h"
#include "serve/stops.h"

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

#endif
