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
    free(job);
}
