// Calls of the decoder last about a tenth of a second. Between two of them the texts are looked at: those that are done
// or dropped leave their slots, and others take them. A slot keeps what it computed, so a conversation that goes on
// takes the one that knows most of it.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/base.h"
#include "serve/worker.h"

// guess: seconds of a call, and its most steps; tokens of a call for prompts
static const double call_s = 0.1;
enum { MOST_STEPS = 64, MOST_TOKENS = 1 << 20 };

struct worker {
    struct decoder *decoder;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t work;
    void (*wake)(void *user);
    void *user;
    char *piece;                                             // room for a token's text
    float *logits;                                           // [vocab]
    struct likely_token tops[DECODER_TEXTS][LIKELIEST_MOST]; // in the place of the token that a slot got last
    uint32_t top_counts[DECODER_TEXTS];
    uint32_t most_waiting;

    // under the mutex
    struct job *first; // waiting, in the order in which they came
    struct job *slots[DECODER_TEXTS];
    struct worker_counts counts;
    bool is_stopping, failed;
    char why[200];
};

static double now_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void worker_lock(struct worker *w) { pthread_mutex_lock(&w->mutex); }
void worker_unlock(struct worker *w) { pthread_mutex_unlock(&w->mutex); }

// ---- the text of a job ----------------------------------------------------------------------------------------------

static void end_job(struct job *job, enum job_finish how, const char *why) {
    job->state = JOB_DONE;
    job->finish = how;
    snprintf(job->why, sizeof job->why, "%.199s", why);
}

static bool add_text(struct job *job, const char *text, size_t size) {
    if (job->held_bytes + size + 1 > job->room) {
        size_t room = 2 * (job->held_bytes + size + 1);
        char *more = realloc(job->text, room);
        if (!more) return false;
        job->text = more;
        job->room = room;
    }
    memcpy(job->text + job->held_bytes, text, size);
    job->held_bytes += size;
    return true;
}

static bool make_room(struct job *job) {
    struct job_token *more = realloc(job->tokens, (job->made + 64) * sizeof *more);
    if (more) job->tokens = more;
    if (!more || !job->tops) return more != NULL;
    struct job_top *top = realloc(job->top, (job->made + 64) * job->tops * sizeof *top);
    if (top) job->top = top;
    return top != NULL;
}

// One more token, which is text. False: the job is done.
static bool add_token(struct worker *w, struct job *job, uint32_t id, float likely) {
    bool found = false;
    if ((job->made % 64 == 0 && !make_room(job)) ||
        !job_add_tops(job, w->decoder->tokenizer, w->tops[job->slot], w->top_counts[job->slot])) {
        end_job(job, FINISH_FAILED, "out of memory");
        return false;
    }
    job->tokens[job->made++] = (struct job_token){id, likely, job->held_bytes};
    w->counts.made_tokens++;
    if (!add_text(job, w->piece, model_detokenize(w->decoder->tokenizer, &job->detokenizer, id, w->piece))) {
        end_job(job, FINISH_FAILED, "out of memory");
        return false;
    }
    job->text_bytes = stops_look(&job->stops, job->text, job->text_bytes, job->held_bytes, &found);
    if (found) end_job(job, FINISH_STOP, "");
    return !found;
}

// The model or the length ended it: what was held back is text, and so are bytes that wait for more of a character.
static void end_text(struct job *job, const struct decoder_text *t) {
    char rest[16];
    bool found = false;
    add_text(job, rest, model_detokenize_end(&job->detokenizer, rest));
    size_t end = stops_look(&job->stops, job->text, job->text_bytes, job->held_bytes, &found);
    job->text_bytes = found ? end : job->held_bytes;
    end_job(job, found || t->ended ? FINISH_STOP : FINISH_LENGTH, "");
}

// ---- slots ----------------------------------------------------------------------------------------------------------

static uint32_t running_of(const struct worker *w, const char *client) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < w->decoder->texts; i++)
        n += w->slots[i] && strcmp(w->slots[i]->client, client) == 0;
    return n;
}

// Takes out the job that is next: of the clients with the fewest running texts, the one that came first.
static struct job *take_next(struct worker *w) {
    struct job **best = &w->first;
    for (struct job **at = &w->first; *at; at = &(*at)->next)
        if (running_of(w, (*at)->client) < running_of(w, (*best)->client)) best = at;
    struct job *job = *best;
    *best = job->next;
    job->next = NULL;
    w->counts.waiting--;
    return job;
}

// The free slot that knows most of the job's prompt; of equal ones the lowest, which costs least.
static uint32_t find_slot(const struct worker *w, const struct job *job) {
    uint32_t best = UINT32_MAX, most = 0;
    for (uint32_t i = 0; i < w->decoder->texts; i++) {
        if (w->slots[i]) continue;
        uint32_t known = decoder_prefix(w->decoder, i, job->prompt.ids, job->prompt.count);
        if (best == UINT32_MAX || known > most) {
            best = i;
            most = known;
        }
    }
    return best;
}

static void begin_job(struct worker *w, struct job *job, uint32_t slot) {
    struct whorl_error err = {0};
    struct decoder *d = w->decoder;
    job->slot = slot;
    if (decoder_begin(d, slot, job->prompt.ids, job->prompt.count, (uint32_t)job->prompt.count + job->most,
                      &job->sampling, &err) != WHORL_OK) {
        end_job(job, FINISH_FAILED, err.message);
        w->counts.failed++;
        w->wake(w->user);
        return;
    }
    job->state = JOB_RUNS;
    job->reused = d->text[slot].kept;
    for (size_t i = 0; i < job->prompt.count; i++) // what follows depends on it
        model_detokenize(d->tokenizer, &job->detokenizer, job->prompt.ids[i], w->piece);
    w->slots[slot] = job;
    w->counts.running++;
    w->counts.prompt_tokens += job->prompt.count;
    w->counts.reused_tokens += job->reused;
}

static void leave_slot(struct worker *w, struct job *job) {
    decoder_pause(w->decoder, job->slot);
    w->slots[job->slot] = NULL;
    w->counts.running--;
    w->counts.dropped += job->is_dropped;
    if (job->is_dropped) job_destroy(job);
}

static void fill_slots(struct worker *w) {
    while (w->first && w->counts.running < w->decoder->texts) {
        struct job *job = take_next(w);
        begin_job(w, job, find_slot(w, job));
    }
}

// What the last call made of each text.
static void look_at_slots(struct worker *w, const uint32_t *known) {
    for (uint32_t i = 0; i < w->decoder->texts; i++) {
        struct job *job = w->slots[i];
        const struct decoder_text *t = &w->decoder->text[i];
        if (!job) continue;
        for (uint32_t at = known[i]; at < t->known - t->ended && job->state == JOB_RUNS && !job->is_dropped; at++)
            if (!add_token(w, job, (uint32_t)t->tokens[at], job->judge ? t->likely[at] : 0)) break;
        if (job->state == JOB_RUNS && !t->is_running) end_text(job, t);
        if (job->state == JOB_DONE || job->is_dropped) leave_slot(w, job);
    }
}

static void fail_all(struct worker *w, const char *why) {
    w->failed = true;
    snprintf(w->why, sizeof w->why, "%.199s", why);
    for (uint32_t i = 0; i < w->decoder->texts; i++)
        if (w->slots[i]) {
            end_job(w->slots[i], FINISH_FAILED, why);
            w->counts.failed++;
            leave_slot(w, w->slots[i]);
        }
    for (struct job *job; (job = w->first);) {
        w->first = job->next;
        w->counts.waiting--;
        w->counts.failed++;
        end_job(job, FINISH_FAILED, why);
    }
}

// ---- the thread -----------------------------------------------------------------------------------------------------

// Between two slices of one call.
static bool go_on(void *user, const struct whorl_progress *p) {
    struct worker *w = user;
    (void)p;
    worker_lock(w);
    bool someone = false;
    for (uint32_t i = 0; i < w->decoder->texts; i++)
        someone |= w->slots[i] && !w->slots[i]->is_dropped;
    bool stop = w->is_stopping || !someone;
    worker_unlock(w);
    return !stop;
}

// How much a call may do, from what the last ones took.
struct pace {
    uint32_t steps, tokens; // of decoder_run, of decoder_prompt
};

static uint32_t fitting(double took_s, uint32_t done, uint32_t least, uint32_t most) {
    double fits = took_s > 0 ? call_s / took_s * done : most;
    return fits < least ? least : fits > most ? most : (uint32_t)fits;
}

static void count_call(struct worker *w, double took_s) {
    worker_lock(w);
    w->counts.busy_s += took_s;
    w->counts.calls++;
    worker_unlock(w);
}

// For texts of which more than the chosen token is asked, and which got one.
static enum whorl_status find_tops(struct worker *w, const uint32_t *known, struct whorl_error *err) {
    struct decoder *d = w->decoder;
    enum whorl_status status = WHORL_OK;
    for (uint32_t i = 0; i < d->texts && status == WHORL_OK; i++) {
        w->top_counts[i] = 0;
        if (!w->slots[i] || !w->slots[i]->tops || d->text[i].known == known[i]) continue;
        status = decoder_logits(d, i, w->logits, err);
        if (status == WHORL_OK)
            w->top_counts[i] = likeliest_find(w->logits, d->config.vocab, w->slots[i]->tops, w->tops[i]);
    }
    return status;
}

static bool are_tops_asked(const struct worker *w) {
    for (uint32_t i = 0; i < w->decoder->texts; i++)
        if (w->slots[i] && w->slots[i]->tops) return true;
    return false;
}

// What is pending of prompts goes on by one call, then the texts that are ready; the mutex is not held. So who waits
// for a long prompt waits for a call of it at a time.
// known: tokens of each text. Where the likeliest tokens are asked for, a call makes one token: the device has the
// logits of the last alone.
static enum whorl_status call(struct worker *w, struct pace *pace, bool judge, const uint32_t *known,
                              struct whorl_error *err) {
    struct decoder_run_options options = {.progress = go_on, .user = w};
    enum whorl_status status = WHORL_OK;
    uint32_t pending = decoder_pending(w->decoder);
    double before = now_s();
    if (pending > 0) {
        status = decoder_prompt(w->decoder, pace->tokens, &options, err);
        pace->tokens = fitting(now_s() - before, pending - decoder_pending(w->decoder), DECODER_TILE, MOST_TOKENS);
        count_call(w, now_s() - before);
    }
    if (status != WHORL_OK || !decoder_is_ready(w->decoder)) return status;
    before = now_s();
    options.judge = judge;
    uint32_t steps = are_tops_asked(w) ? 1 : pace->steps;
    status = decoder_run(w->decoder, steps, &options, err);
    pace->steps = fitting(now_s() - before, steps, 1, MOST_STEPS);
    count_call(w, now_s() - before);
    return status == WHORL_OK ? find_tops(w, known, err) : status;
}

static void *work(void *user) {
    struct worker *w = user;
    struct whorl_error err = {0};
    struct pace pace = {1, DECODER_TILE};
    worker_lock(w);
    while (!w->is_stopping) {
        uint32_t known[DECODER_TEXTS];
        bool judge = false;
        uint32_t before = w->counts.running;
        if (!w->failed) fill_slots(w);
        if (w->counts.running > before) // a step takes longer now
            pace.steps = before ? (pace.steps * before + w->counts.running - 1) / w->counts.running : 1;
        if (w->counts.running == 0) {
            pthread_cond_wait(&w->work, &w->mutex);
            continue;
        }
        for (uint32_t i = 0; i < w->decoder->texts; i++) {
            known[i] = w->decoder->text[i].known;
            judge |= w->slots[i] && w->slots[i]->judge;
        }
        worker_unlock(w);
        enum whorl_status status = call(w, &pace, judge, known, &err);
        worker_lock(w);
        if (status != WHORL_OK && status != WHORL_CANCELLED)
            fail_all(w, err.message);
        else
            look_at_slots(w, known);
        w->wake(w->user);
    }
    worker_unlock(w);
    return NULL;
}

enum whorl_status worker_create(struct decoder *decoder, uint32_t most_waiting, void (*wake)(void *user), void *user,
                                struct worker **out, struct whorl_error *err) {
    struct worker *w = *out = calloc(1, sizeof *w);
    if (!w) return base_set_error(err, WHORL_MEMORY, "serve", "out of memory");
    *w = (struct worker){.decoder = decoder, .wake = wake, .user = user, .most_waiting = most_waiting};
    w->piece = malloc(model_detokenize_room(decoder->tokenizer));
    w->logits = malloc(decoder->config.vocab * sizeof *w->logits);
    pthread_mutex_init(&w->mutex, NULL);
    pthread_cond_init(&w->work, NULL);
    if (w->piece && w->logits && pthread_create(&w->thread, NULL, work, w) == 0) return WHORL_OK;
    free(w->piece);
    free(w->logits);
    free(w);
    *out = NULL;
    return base_set_error(err, WHORL_MEMORY, "serve", "no thread can be started");
}

void worker_destroy(struct worker *w) {
    if (!w) return;
    worker_lock(w);
    w->is_stopping = true;
    pthread_cond_signal(&w->work);
    worker_unlock(w);
    pthread_join(w->thread, NULL);
    for (uint32_t i = 0; i < w->decoder->texts; i++)
        job_destroy(w->slots[i]);
    for (struct job *job; (job = w->first);) {
        w->first = job->next;
        job_destroy(job);
    }
    pthread_mutex_destroy(&w->mutex);
    pthread_cond_destroy(&w->work);
    free(w->piece);
    free(w->logits);
    free(w);
}

bool worker_add(struct worker *w, struct job *job) {
    worker_lock(w);
    bool ok = w->counts.waiting < w->most_waiting && !w->failed;
    if (ok) {
        struct job **last = &w->first;
        while (*last)
            last = &(*last)->next;
        *last = job;
        w->counts.waiting++;
        pthread_cond_signal(&w->work);
    }
    worker_unlock(w);
    return ok;
}

void worker_drop(struct worker *w, struct job *job) {
    worker_lock(w);
    bool waits = job->state == JOB_WAITS, done = job->state == JOB_DONE;
    for (struct job **at = &w->first; waits && *at; at = &(*at)->next)
        if (*at == job) {
            *at = job->next;
            w->counts.waiting--;
            w->counts.dropped++;
            break;
        }
    if (!waits && !done) job->is_dropped = true;
    worker_unlock(w);
    if (waits || done) job_destroy(job);
}

struct worker_counts worker_count(struct worker *w) {
    worker_lock(w);
    struct worker_counts counts = w->counts;
    worker_unlock(w);
    return counts;
}

bool worker_is_well(struct worker *w, char *out_why, size_t size) {
    worker_lock(w);
    bool well = !w->failed;
    snprintf(out_why, size, "%s", w->why);
    worker_unlock(w);
    return well;
}
