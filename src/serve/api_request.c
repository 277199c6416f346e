// A field that this server cannot honour is refused by name, unless its value asks for nothing. Fields that are not
// known are left alone: clients send many.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decode/chat_prompt.h"
#include "model/file/json_checked.h"
#include "serve/exchange.h"

struct reading {
    struct api *api;
    const char *body;
    size_t size_bytes;
    struct exchange *x;
    const char *param; // that is being read
    yyjson_val *root;
};

static yyjson_val *field(struct reading *r, const char *name) {
    r->param = name;
    return model_json_get(r->root, name);
}

static double number(struct model_work *w, struct reading *r, const char *name, double least, double most,
                     double otherwise) {
    yyjson_val *v = field(r, name);
    if (!v) return otherwise;
    if (!yyjson_is_num(v)) model_invalid(w, "%s is no number", name);
    double value = yyjson_get_num(v);
    if (!(value >= least && value <= most)) model_invalid(w, "%s is %g to %g", name, least, most);
    return value;
}

static int64_t whole(struct model_work *w, struct reading *r, const char *name, int64_t least, int64_t most,
                     int64_t otherwise) {
    yyjson_val *v = field(r, name);
    if (!v) return otherwise;
    if (!yyjson_is_int(v)) model_invalid(w, "%s is no whole number", name);
    int64_t value = yyjson_get_sint(v);
    if (value < least || value > most || (yyjson_is_uint(v) && yyjson_get_uint(v) > INT64_MAX))
        model_invalid(w, "%s is %lld to %lld", name, (long long)least, (long long)most);
    return value;
}

static bool truth(struct model_work *w, struct reading *r, const char *name) {
    yyjson_val *v = field(r, name);
    if (v && !yyjson_is_bool(v)) model_invalid(w, "%s is true or false", name);
    return v && yyjson_is_true(v);
}

// ---- what is not there ----------------------------------------------------------------------------------------------

static void refuse_others(struct model_work *w, struct reading *r) {
    static const char *const zero[] = {"frequency_penalty", "presence_penalty"}, *const one[] = {"n", "best_of"},
                             *const none[] = {"tools", "functions", "logit_bias", "suffix",
                                              "echo",  "audio",     "prediction"};
    for (size_t i = 0; i < sizeof zero / sizeof *zero; i++)
        if (number(w, r, zero[i], -2, 2, 0) != 0) model_invalid(w, "%s is not supported", zero[i]);
    for (size_t i = 0; i < sizeof one / sizeof *one; i++)
        if (whole(w, r, one[i], 1, 128, 1) != 1) model_invalid(w, "%s above 1 is not supported", one[i]);
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        yyjson_val *v = field(r, none[i]);
        bool empty = !v || yyjson_is_false(v) || (yyjson_is_ctn(v) && yyjson_get_len(v) == 0) ||
                     (yyjson_is_str(v) && yyjson_get_len(v) == 0);
        if (!empty) model_invalid(w, "%s is not supported", none[i]);
    }
    yyjson_val *format = field(r, "response_format"), *type = yyjson_obj_get(format, "type");
    if (format && !yyjson_equals_str(type, "text")) model_invalid(w, "response_format can only be text");
}

// ---- the parts ------------------------------------------------------------------------------------------------------

static void read_sampling(struct model_work *w, struct reading *r) {
    struct decoder_sampling *s = &r->x->job->sampling;
    s->temperature = (float)number(w, r, "temperature", 0, 2, 1);
    s->top_p = (float)number(w, r, "top_p", 0, 1, 1);
    s->min_p = (float)number(w, r, "min_p", 0, 0.999, 0);
    s->penalty = (float)number(w, r, "repetition_penalty", 0.01, 100, 1);
    s->top_k = (int32_t)whole(w, r, "top_k", -1, INT32_MAX, 0);
    if (s->top_k < 0) s->top_k = 0;
    yyjson_val *seed = field(r, "seed");
    uint64_t drawn = seed ? (uint64_t)whole(w, r, "seed", INT64_MIN, INT64_MAX, 0) : model_random_seed();
    s->seed = (int32_t)(drawn % INT32_MAX);
}

static void read_stops(struct model_work *w, struct reading *r) {
    struct stops *s = &r->x->job->stops;
    yyjson_val *v = field(r, "stop");
    bool is_list = yyjson_is_arr(v);
    size_t count = !v ? 0 : is_list ? yyjson_arr_size(v) : 1;
    if (count > STOPS_MOST) model_invalid(w, "stop has more than %d texts", STOPS_MOST);
    for (size_t i = 0; i < count; i++) {
        yyjson_val *one = is_list ? yyjson_arr_get(v, i) : v;
        const char *text = yyjson_get_str(one);
        if (!text || yyjson_get_len(one) == 0 || yyjson_get_len(one) > STOPS_BYTES ||
            strlen(text) != yyjson_get_len(one))
            model_invalid(w, "stop is a text of 1 to %d bytes, or a list of such", STOPS_BYTES);
        if (!(s->texts[s->count] = strdup(text))) model_refuse(w, WHORL_MEMORY, "out of memory");
        s->count++;
    }
}

static void take_tokens(struct model_work *w, struct reading *r, yyjson_val *list) {
    struct model_tokens *out = &r->x->job->prompt;
    size_t count = yyjson_arr_size(list), i, n;
    yyjson_val *v;
    if (!(out->ids = malloc(count * sizeof *out->ids))) model_refuse(w, WHORL_MEMORY, "out of memory");
    yyjson_arr_foreach(list, i, n, v) {
        if (!yyjson_is_uint(v) || yyjson_get_uint(v) >= r->api->vocab)
            model_invalid(w, "prompt[%zu] is no token of this model", i);
        out->ids[out->count++] = (uint32_t)yyjson_get_uint(v);
    }
}

static void check_bytes(struct model_work *w, const struct reading *r, size_t size) {
    size_t most = (size_t)r->api->context * 32 + 1024; // guess: no text has longer tokens than that on average
    if (size > most)
        model_invalid(w, "%s has %zu bytes; with a context of %u tokens at most %zu are taken", r->param, size,
                      r->api->context, most);
}

static void pass_on(struct model_work *w, enum whorl_status status, const struct whorl_error *why) {
    if (status != WHORL_OK) model_refuse(w, status, "%s", why->message);
}

static void read_prompt(struct model_work *w, struct reading *r) {
    struct whorl_error why = {0};
    yyjson_val *v = field(r, "prompt");
    if (yyjson_is_arr(v) && yyjson_arr_size(v) > 0 && yyjson_is_num(yyjson_arr_get_first(v))) {
        take_tokens(w, r, v);
        return;
    }
    if (yyjson_is_arr(v) && yyjson_arr_size(v) == 1) v = yyjson_arr_get_first(v);
    if (!yyjson_is_str(v)) model_invalid(w, "prompt is a text, a list of one, or a list of tokens");
    check_bytes(w, r, yyjson_get_len(v));
    pass_on(w, model_encode(r->api->tokenizer, yyjson_get_str(v), yyjson_get_len(v), true, &r->x->job->prompt, &why),
            &why);
}

// The text of a message: a string, or a list of parts that are text.
static yyjson_mut_val *read_content(struct model_work *w, yyjson_mut_doc *doc, yyjson_val *content) {
    if (!content || yyjson_is_null(content)) return yyjson_mut_str(doc, "");
    if (yyjson_is_str(content)) return yyjson_val_mut_copy(doc, content);
    if (!yyjson_is_arr(content)) model_invalid(w, "the content of a message is a text, or a list of parts");
    struct base_text all;
    base_text_init(&all, &w->cx);
    size_t i, n;
    yyjson_val *part;
    yyjson_arr_foreach(content, i, n, part) {
        yyjson_val *text = yyjson_obj_get(part, "text");
        if (!yyjson_equals_str(yyjson_obj_get(part, "type"), "text") || !yyjson_is_str(text))
            model_invalid(w, "a part of a message is of another type than text, which this model cannot read");
        base_text_add(&all, yyjson_get_str(text), yyjson_get_len(text));
    }
    return yyjson_mut_strncpy(doc, all.data ? all.data : "", all.size);
}

static void read_messages(struct model_work *w, struct reading *r) {
    struct whorl_error why = {0};
    const yyjson_alc memory = base_json_arena(&w->cx);
    yyjson_mut_doc *doc = yyjson_mut_doc_new(&memory);
    yyjson_mut_doc_set_root(doc, yyjson_mut_obj(doc));
    yyjson_mut_val *messages = yyjson_mut_obj_add_arr(doc, doc->root, "messages");
    yyjson_val *v = field(r, "messages"), *one;
    size_t i, n, bytes = 0;
    if (!yyjson_is_arr(v) || yyjson_arr_size(v) == 0) model_invalid(w, "messages is a list of at least one message");
    yyjson_arr_foreach(v, i, n, one) {
        yyjson_val *role = yyjson_obj_get(one, "role");
        if (!yyjson_is_str(role)) model_invalid(w, "messages[%zu] has no role", i);
        yyjson_mut_val *copy = yyjson_mut_arr_add_obj(doc, messages),
                       *content = read_content(w, doc, yyjson_obj_get(one, "content"));
        yyjson_mut_obj_add_val(doc, copy, "role", yyjson_val_mut_copy(doc, role));
        yyjson_mut_obj_add_val(doc, copy, "content", content);
        bytes += yyjson_mut_get_len(content);
    }
    check_bytes(w, r, bytes);
    pass_on(w, decoder_chat_prompt(&r->api->chat, r->api->tokenizer, doc, &r->x->job->prompt, &why), &why);
}

static void read_length(struct model_work *w, struct reading *r) {
    struct job *job = r->x->job;
    const char *name = field(r, "max_completion_tokens") ? "max_completion_tokens" : "max_tokens";
    uint64_t most = (uint64_t)whole(w, r, name, 1, INT32_MAX, r->x->is_chat ? INT32_MAX : 16);
    r->param = r->x->is_chat ? "messages" : "prompt";
    if (job->prompt.count == 0) model_invalid(w, "the prompt is empty");
    if (job->prompt.count >= r->api->context)
        model_invalid(w, "the prompt has %zu tokens, and prompt and answer together have room for %u",
                      job->prompt.count, r->api->context);
    if (r->api->most && most > r->api->most) most = r->api->most;
    if (most > r->api->context - job->prompt.count) most = r->api->context - job->prompt.count;
    job->most = (uint32_t)most;
}

static void read_logprobs(struct model_work *w, struct reading *r) {
    struct exchange *x = r->x;
    if (x->is_chat) {
        x->tokens = truth(w, r, "logprobs");
        x->job->tops = (uint32_t)whole(w, r, "top_logprobs", 0, LIKELIEST_MOST, 0);
        if (x->job->tops && !x->tokens) model_invalid(w, "top_logprobs needs logprobs: true");
    } else if (field(r, "logprobs")) {
        x->job->tops = (uint32_t)whole(w, r, "logprobs", 0, LIKELIEST_MOST, 0);
        x->tokens = true;
    }
    x->job->judge = x->tokens;
    if (x->job->tops > r->api->vocab) x->job->tops = r->api->vocab;
}

static void read_stream_options(struct model_work *w, struct reading *r) {
    yyjson_val *options = field(r, "stream_options"), *usage = model_json_get(options, "include_usage");
    if (options && !yyjson_is_obj(options)) model_invalid(w, "stream_options is an object");
    if (usage && !yyjson_is_bool(usage)) model_invalid(w, "stream_options.include_usage is true or false");
    r->x->usage = yyjson_is_true(usage);
}

static void read_request(struct model_work *w, void *arg) {
    struct reading *r = arg;
    r->root = model_json_parse(w, r->body, r->size_bytes);
    if (!yyjson_is_obj(r->root)) model_invalid(w, "no JSON object");
    yyjson_val *model = field(r, "model");
    if (model && !yyjson_is_str(model)) model_invalid(w, "model is no text");
    r->x->in_parts = truth(w, r, "stream");
    read_stream_options(w, r);
    refuse_others(w, r);
    read_sampling(w, r);
    read_stops(w, r);
    read_logprobs(w, r);
    if (r->x->is_chat)
        read_messages(w, r);
    else
        read_prompt(w, r);
    read_length(w, r);
}

bool api_read(struct api *api, bool is_chat, const char *body, size_t size_bytes, struct exchange *out,
              struct api_error *err) {
    struct reading r = {.api = api, .body = body, .size_bytes = size_bytes, .x = out};
    struct model_work w;
    struct whorl_error why = {0};
    *out = (struct exchange){.job = job_create(), .is_chat = is_chat};
    *err = (struct api_error){.status = 400};
    enum whorl_status status = WHORL_MEMORY;
    if (out->job) {
        model_work_init(&w, "the request");
        status = model_work_run(&w, &why, read_request, &r);
        model_work_deinit(&w);
    }
    if (status == WHORL_OK) return true;
    job_destroy(out->job);
    out->job = NULL;
    if (status == WHORL_MEMORY) err->status = 503;
    err->param = r.param;
    snprintf(err->message, sizeof err->message, "%.399s", why.message[0] ? why.message : "out of memory");
    return false;
}
