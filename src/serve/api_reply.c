#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "model/token/unicode.h"
#include "serve/exchange.h"

static char *write_doc(yyjson_mut_doc *doc, size_t *out_bytes) {
    char *text = doc ? yyjson_mut_write(doc, 0, out_bytes) : NULL;
    yyjson_mut_doc_free(doc);
    return text;
}

static yyjson_mut_doc *begin(const struct api *api, const struct exchange *x, const char *object) {
    yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
    yyjson_mut_val *root = yyjson_mut_obj(doc);
    yyjson_mut_doc_set_root(doc, root);
    yyjson_mut_obj_add_str(doc, root, "id", x->id);
    yyjson_mut_obj_add_str(doc, root, "object", object);
    yyjson_mut_obj_add_int(doc, root, "created", x->created_s);
    yyjson_mut_obj_add_str(doc, root, "model", api->model);
    return doc;
}

static void add_usage(yyjson_mut_doc *doc, const struct job *job) {
    yyjson_mut_val *usage = yyjson_mut_obj_add_obj(doc, doc->root, "usage");
    yyjson_mut_obj_add_uint(doc, usage, "prompt_tokens", job->prompt.count);
    yyjson_mut_obj_add_uint(doc, usage, "completion_tokens", job->made);
    yyjson_mut_obj_add_uint(doc, usage, "total_tokens", job->prompt.count + job->made);
    yyjson_mut_val *details = yyjson_mut_obj_add_obj(doc, usage, "prompt_tokens_details");
    yyjson_mut_obj_add_uint(doc, details, "cached_tokens", job->reused);
}

static const char *finish_name(const struct job *job) { return job->finish == FINISH_LENGTH ? "length" : "stop"; }

// Tokens whose text begins before `to`; all of them where the answer is complete to its last byte.
static uint32_t tokens_until(const struct job *job, size_t to) {
    uint32_t n = job->made;
    while (n > 0 && job->tokens[n - 1].text >= to && !(job->state == JOB_DONE && to == job->held_bytes))
        n--;
    return n;
}

static void add_bytes(yyjson_mut_doc *doc, yyjson_mut_val *one, const char *text, size_t size) {
    yyjson_mut_val *bytes = yyjson_mut_obj_add_arr(doc, one, "bytes");
    for (size_t k = 0; k < size; k++)
        yyjson_mut_arr_add_uint(doc, bytes, (unsigned char)text[k]);
}

// Token `i` of the answer: a list of the likeliest in its place.
static void add_top_list(yyjson_mut_doc *doc, yyjson_mut_val *one, const struct job *job, uint32_t i) {
    yyjson_mut_val *list = yyjson_mut_obj_add_arr(doc, one, "top_logprobs");
    for (uint32_t k = 0; k < job->tops && job->top[i * job->tops + k].is_there; k++) {
        const struct job_top *t = &job->top[i * job->tops + k];
        yyjson_mut_val *top = yyjson_mut_arr_add_obj(doc, list);
        yyjson_mut_obj_add_strncpy(doc, top, "token", job->top_text + t->text, t->size);
        yyjson_mut_obj_add_real(doc, top, "logprob", (double)t->likely);
        add_bytes(doc, top, job->top_text + t->text, t->size);
    }
}

// The same as an object by text, of equal texts the likeliest; the chosen token is always in it.
static void add_top_object(yyjson_mut_doc *doc, yyjson_mut_val *list, const struct job *job, uint32_t i,
                           const char *chosen, size_t size) {
    yyjson_mut_val *all = yyjson_mut_arr_add_obj(doc, list);
    for (uint32_t k = 0; k <= job->tops; k++) {
        const struct job_top *t = k < job->tops ? &job->top[i * job->tops + k] : NULL;
        bool last = !t || !t->is_there;
        const char *text = last ? chosen : job->top_text + t->text;
        size_t bytes = last ? size : t->size;
        if (!yyjson_mut_obj_getn(all, text, bytes))
            yyjson_mut_obj_add(all, yyjson_mut_strncpy(doc, text, bytes),
                               yyjson_mut_real(doc, (double)(last ? job->tokens[i].likely : t->likely)));
        if (last) break;
    }
}

static void add_tokens(yyjson_mut_doc *doc, yyjson_mut_val *choice, const struct exchange *x, uint32_t from,
                       uint32_t to) {
    const struct job *job = x->job;
    yyjson_mut_val *all = yyjson_mut_obj_add_obj(doc, choice, "logprobs"), *content = NULL, *tokens = NULL,
                   *likely = NULL, *at = NULL, *tops = NULL;
    if (x->is_chat) {
        content = yyjson_mut_obj_add_arr(doc, all, "content");
    } else {
        tokens = yyjson_mut_obj_add_arr(doc, all, "tokens");
        likely = yyjson_mut_obj_add_arr(doc, all, "token_logprobs");
        at = yyjson_mut_obj_add_arr(doc, all, "text_offset");
        if (job->tops)
            tops = yyjson_mut_obj_add_arr(doc, all, "top_logprobs");
        else
            yyjson_mut_obj_add_null(doc, all, "top_logprobs");
    }
    for (uint32_t i = from; i < to; i++) {
        const struct job_token *t = &job->tokens[i];
        size_t size = (i + 1 < job->made ? t[1].text : job->held_bytes) - t->text;
        if (content) {
            yyjson_mut_val *one = yyjson_mut_arr_add_obj(doc, content);
            yyjson_mut_obj_add_strncpy(doc, one, "token", job->text + t->text, size);
            yyjson_mut_obj_add_real(doc, one, "logprob", (double)t->likely);
            add_bytes(doc, one, job->text + t->text, size);
            add_top_list(doc, one, job, i);
        } else {
            yyjson_mut_arr_add_strncpy(doc, tokens, job->text + t->text, size);
            yyjson_mut_arr_add_real(doc, likely, (double)t->likely);
            yyjson_mut_arr_add_uint(doc, at, t->text);
            if (tops) add_top_object(doc, tops, job, i, job->text + t->text, size);
        }
    }
}

static void add_message(yyjson_mut_doc *doc, yyjson_mut_val *choice, const char *name, bool role, const char *text,
                        size_t size) {
    yyjson_mut_val *message = yyjson_mut_obj_add_obj(doc, choice, name);
    if (role) yyjson_mut_obj_add_str(doc, message, "role", "assistant");
    if (text) yyjson_mut_obj_add_strncpy(doc, message, "content", text, size);
}

char *api_answer(const struct api *api, const struct exchange *x, size_t *out_bytes) {
    const struct job *job = x->job;
    const char *text = job->text ? job->text : "";
    yyjson_mut_doc *doc = begin(api, x, x->is_chat ? "chat.completion" : "text_completion");
    yyjson_mut_val *choices = yyjson_mut_obj_add_arr(doc, doc->root, "choices"),
                   *choice = yyjson_mut_arr_add_obj(doc, choices);
    yyjson_mut_obj_add_int(doc, choice, "index", 0);
    if (x->is_chat)
        add_message(doc, choice, "message", true, text, job->text_bytes);
    else
        yyjson_mut_obj_add_strncpy(doc, choice, "text", text, job->text_bytes);
    if (x->tokens)
        add_tokens(doc, choice, x, 0, tokens_until(job, job->text_bytes));
    else
        yyjson_mut_obj_add_null(doc, choice, "logprobs");
    yyjson_mut_obj_add_str(doc, choice, "finish_reason", finish_name(job));
    add_usage(doc, job);
    return write_doc(doc, out_bytes);
}

// ---- in parts -------------------------------------------------------------------------------------------------------

struct events {
    char *data;
    size_t size_bytes;
};

// Appends an event; takes `json`, of which NULL adds nothing.
static void add_event(struct events *e, char *json, size_t size) {
    char *more = json ? realloc(e->data, e->size_bytes + size + 9) : NULL;
    if (more) {
        memcpy(more + e->size_bytes, "data: ", 6);
        memcpy(more + e->size_bytes + 6, json, size);
        memcpy(more + e->size_bytes + 6 + size, "\n\n", 2);
        e->data = more;
        e->size_bytes += size + 8;
    }
    free(json);
}

// text NULL: the first of a conversation has only a role, the last nothing.
static void add_chunk(struct events *e, const struct api *api, struct exchange *x, const char *text, size_t size,
                      uint32_t tokens, const char *finish) {
    yyjson_mut_doc *doc = begin(api, x, x->is_chat ? "chat.completion.chunk" : "text_completion");
    yyjson_mut_val *choices = yyjson_mut_obj_add_arr(doc, doc->root, "choices"),
                   *choice = yyjson_mut_arr_add_obj(doc, choices);
    yyjson_mut_obj_add_int(doc, choice, "index", 0);
    if (x->is_chat)
        add_message(doc, choice, "delta", !x->begun, text || x->begun ? text : "", size);
    else
        yyjson_mut_obj_add_strncpy(doc, choice, "text", text ? text : "", size);
    if (x->tokens && tokens > x->sent_tokens)
        add_tokens(doc, choice, x, x->sent_tokens, tokens);
    else
        yyjson_mut_obj_add_null(doc, choice, "logprobs");
    if (finish)
        yyjson_mut_obj_add_str(doc, choice, "finish_reason", finish);
    else
        yyjson_mut_obj_add_null(doc, choice, "finish_reason");
    if (x->usage) yyjson_mut_obj_add_null(doc, doc->root, "usage");
    size_t bytes = 0;
    char *json = write_doc(doc, &bytes);
    add_event(e, json, bytes);
    x->begun = true;
    x->sent_tokens = tokens;
    x->sent_bytes += size;
}

static void add_end(struct events *e, const struct api *api, struct exchange *x) {
    const struct job *job = x->job;
    size_t bytes = 0;
    if (job->finish == FINISH_FAILED) {
        struct api_error err = {.status = 500};
        snprintf(err.message, sizeof err.message, "%s", job->why);
        char *json = api_error_text(&err, &bytes);
        add_event(e, json, bytes);
        return;
    }
    add_chunk(e, api, x, NULL, 0, tokens_until(job, job->text_bytes), finish_name(job));
    if (x->usage) {
        yyjson_mut_doc *doc = begin(api, x, x->is_chat ? "chat.completion.chunk" : "text_completion");
        yyjson_mut_obj_add_arr(doc, doc->root, "choices");
        add_usage(doc, job);
        char *json = write_doc(doc, &bytes);
        add_event(e, json, bytes);
    }
    char *done = strdup("[DONE]");
    add_event(e, done, 6);
}

char *api_part(const struct api *api, struct exchange *x, size_t *out_bytes, bool *out_ended) {
    const struct job *job = x->job;
    struct events e = {0};
    if (x->is_chat && !x->begun && job->state != JOB_WAITS) add_chunk(&e, api, x, NULL, 0, 0, NULL);
    size_t fresh = job->text_bytes - x->sent_bytes;
    if (fresh > 0) add_chunk(&e, api, x, job->text + x->sent_bytes, fresh, tokens_until(job, job->text_bytes), NULL);
    *out_ended = job->state == JOB_DONE;
    if (*out_ended) add_end(&e, api, x);
    *out_bytes = e.size_bytes;
    return e.data;
}

// ---- others ---------------------------------------------------------------------------------------------------------

char *api_error_text(const struct api_error *err, size_t *out_bytes) {
    yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
    yyjson_mut_doc_set_root(doc, yyjson_mut_obj(doc));
    yyjson_mut_val *one = yyjson_mut_obj_add_obj(doc, doc->root, "error");
    size_t size = strlen(err->message); // which may be cut, or hold what is no UTF-8
    yyjson_mut_obj_add_strncpy(doc, one, "message", err->message, unicode_check(err->message, size));
    yyjson_mut_obj_add_str(doc, one, "type",
                           err->status >= 500   ? "server_error"
                           : err->status == 401 ? "authentication_error"
                           : err->status == 429 ? "rate_limit_error"
                                                : "invalid_request_error");
    if (err->param)
        yyjson_mut_obj_add_str(doc, one, "param", err->param);
    else
        yyjson_mut_obj_add_null(doc, one, "param");
    yyjson_mut_obj_add_null(doc, one, "code");
    return write_doc(doc, out_bytes);
}

static void fill_model(const struct api *api, int64_t created_s, yyjson_mut_doc *doc, yyjson_mut_val *one) {
    yyjson_mut_obj_add_str(doc, one, "id", api->model);
    yyjson_mut_obj_add_str(doc, one, "object", "model");
    yyjson_mut_obj_add_int(doc, one, "created", created_s);
    yyjson_mut_obj_add_str(doc, one, "owned_by", "whorl");
    yyjson_mut_obj_add_uint(doc, one, "context_length", api->context);
    yyjson_mut_obj_add_bool(doc, one, "chat", api->chat.template != NULL);
}

char *api_model(const struct api *api, int64_t created_s, size_t *out_bytes) {
    yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
    yyjson_mut_doc_set_root(doc, yyjson_mut_obj(doc));
    fill_model(api, created_s, doc, doc->root);
    return write_doc(doc, out_bytes);
}

char *api_models(const struct api *api, int64_t created_s, size_t *out_bytes) {
    yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
    yyjson_mut_doc_set_root(doc, yyjson_mut_obj(doc));
    yyjson_mut_obj_add_str(doc, doc->root, "object", "list");
    yyjson_mut_val *list = yyjson_mut_obj_add_arr(doc, doc->root, "data");
    fill_model(api, created_s, doc, yyjson_mut_arr_add_obj(doc, list));
    return write_doc(doc, out_bytes);
}
