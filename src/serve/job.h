// A text that is to be continued for somebody, and what became of it.
#ifndef WHORL_SERVE_JOB_H
#define WHORL_SERVE_JOB_H

#include "decode/decoder.h"
#include "serve/likeliest.h"
#include "serve/stops.h"

enum job_state { JOB_WAITS, JOB_RUNS, JOB_DONE };
enum job_finish { FINISH_STOP, FINISH_LENGTH, FINISH_FAILED };

struct job_token {
    uint32_t id;
    float likely; // logarithm of its share
    size_t text;  // bytes of the answer's text before it
};

// A token that could have stood in a place: job->top_text[text .. text + size).
struct job_top {
    float likely;
    uint32_t size;
    size_t text;
    bool is_there;
};

// A text to be continued. What stands above the line is the caller's to fill and not changed after worker_add; what
// stands below is read between worker_lock and worker_unlock.
struct job {
    struct model_tokens prompt;
    uint32_t most; // new tokens, at most
    struct decoder_sampling sampling;
    bool judge;    // tokens are wanted, with their logarithms
    uint32_t tops; // and so many of the likeliest tokens in the place of each; <= LIKELIEST_MOST
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
    struct job_top *top;      // [made][tops], the likeliest first
    char *top_text;
    // the worker's own
    uint32_t slot;
    struct model_detokenizer detokenizer;
    size_t held_bytes, room; // text and what is held back; room for it
    size_t top_bytes, top_room;
    bool is_dropped;
    struct job *next;
};
struct job *job_create(void); // of zeros, or NULL
void job_destroy(struct job *job);
// What could have stood in the place of the token that is next, job->tops of them if there are so many; job->top has
// room. A token's bytes that are no whole character become U+FFFD. False: out of memory.
bool job_add_tops(struct job *job, const struct model_tokenizer *tokenizer, const struct likely_token *tops,
                  uint32_t count);

#endif
