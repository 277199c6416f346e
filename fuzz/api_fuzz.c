// The JSON of requests from anybody, read for a small model: refused with a text, or a job within its limits, of which
// every answer can be written. The first byte says which path it is for.
#include <stdlib.h>
#include <string.h>

#include "serve/exchange.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes);

static const char tokenizer[] =
    "{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0,\"b\":1,\"ab\":2,\" \":3,\":\":4,\"u\":5,"
    "\"s\":6,\"e\":7,\"r\":8,\"x\":9},\"merges\":[[\"a\",\"b\"]]}}";
static const char template[] = "{% for m in messages %}{{ m.role }}: {{ m.content }} {% endfor %}";

static void check_job(const struct api *api, struct exchange *x) {
    struct job *job = x->job;
    size_t size;
    bool ended;
    if (job->prompt.count == 0 || job->most == 0 || job->prompt.count + job->most > api->context) abort();
    if (job->stops.count > STOPS_MOST || job->sampling.seed < 0 || !(job->sampling.temperature >= 0)) abort();
    for (size_t i = 0; i < job->prompt.count; i++)
        if (job->prompt.ids[i] >= api->vocab) abort();
    job->text = strdup("ab");
    job->text_bytes = job->held_bytes = 2;
    job->tokens = calloc(1, sizeof *job->tokens);
    job->made = 1;
    job->state = JOB_DONE;
    char *whole = api_answer(api, x, &size), *parts = api_part(api, x, &size, &ended);
    if (!whole || !parts || !ended) abort();
    free(whole);
    free(parts);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes) {
    static struct api api = {.model = "m", .context = 64, .vocab = 10};
    struct exchange x;
    struct api_error err;
    size_t size;
    if (!api.tokenizer && (model_tokenizer_of_json(tokenizer, sizeof tokenizer - 1, &api.tokenizer, NULL) != WHORL_OK ||
                           model_template_make(template, sizeof template - 1, &api.chat.template, NULL) != WHORL_OK))
        abort();
    if (size_bytes == 0) return 0;
    if (api_read(&api, data[0] % 2, (const char *)data + 1, size_bytes - 1, &x, &err)) {
        check_job(&api, &x);
        job_destroy(x.job);
        return 0;
    }
    char *text = api_error_text(&err, &size);
    if (!text || err.status < 400 || !err.message[0]) abort();
    free(text);
    return 0;
}
