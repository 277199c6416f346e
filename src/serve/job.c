#include <stdlib.h>

#include "serve/job.h"

struct job *job_create(void) {
    return calloc(1, sizeof(struct job));
}

void job_destroy(struct job *job) {
    if (!job) return;
    for (size_t i = 0; i < job->stops.count; i++)
        free(job->stops.texts[i]);
    model_tokens_free(&job->prompt);
    free(job->text);
    free(job->tokens);
    free(job->top);
    free(job->top_text);
    free(job);
}

bool job_add_tops(struct job *job, const struct model_tokenizer *tokenizer, const struct likely_token *tops,
                  uint32_t count) {
    size_t room = model_detokenize_room(tokenizer) + 16;
    for (uint32_t k = 0; k < job->tops; k++) {
        struct job_top *t = &job->top[job->made * job->tops + k];
        *t = (struct job_top){.text = job->top_bytes, .is_there = k < count};
        if (!t->is_there) continue;
        if (job->top_bytes + room > job->top_room) {
            char *more = realloc(job->top_text, 2 * (job->top_bytes + room));
            if (!more) return false;
            job->top_text = more;
            job->top_room = 2 * (job->top_bytes + room);
        }
        struct model_detokenizer at = job->detokenizer;
        char *to = job->top_text + job->top_bytes;
        size_t size = model_detokenize(tokenizer, &at, tops[k].id, to);
        size += model_detokenize_end(&at, to + size);
        t->likely = tops[k].likely;
        t->size = (uint32_t)size;
        job->top_bytes += size;
    }
    return true;
}
