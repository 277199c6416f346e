// Who may ask, and what for. A page of another site could send requests to this machine's addresses through its
// visitor's browser: what a browser says of where a request comes from (Host, Origin) must be this server.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/base.h"
#include "base/embed.h"
#include "model/file/work.h"
#include "serve/exchange.h"
#include "serve/listener.h"
#include "serve/server.h"
#include "serve/worker.h"

extern const struct base_embedded serve_pages[]; // src/serve/page/*
extern const unsigned serve_pages_count;

static const struct listener_limits limits = {.connections = 256,
                                              .body_bytes = 4 << 20,
                                              .waiting_bytes = 1 << 20,
                                              .head_s = 10,
                                              .body_s = 30,
                                              .write_s = 30,
                                              .quiet_s = 60};

// A text that is made for a connection.
struct talk {
    struct connection *c;
    struct exchange x;
    struct talk *next;
};
struct server {
    const struct server_options *o;
    struct listener *listener;
    struct worker *worker;
    struct api api;
    struct talk *talks;
    uint16_t port;
    bool is_local;
    int64_t begun_s;
    uint64_t ids, seed;
};

bool server_is_local(const char *host) {
    return strcmp(host, "localhost") == 0 || strcmp(host, "::1") == 0 || strncmp(host, "127.", 4) == 0;
}

// ---- answers --------------------------------------------------------------------------------------------------------

static void reply_json(struct connection *c, int status, const char *more, char *json, size_t size) {
    static const char none[] =
        "{\"error\": {\"message\": \"out of memory\", \"type\": \"server_error\", \"param\": null, "
        "\"code\": null}}";
    if (json)
        connection_reply(c, status, "application/json", more, json, size);
    else
        connection_reply(c, 503, "application/json", more, none, sizeof none - 1);
    free(json);
}

static void reply_error(struct connection *c, const struct api_error *err, const char *more) {
    size_t size = 0;
    char *json = api_error_text(err, &size);
    reply_json(c, err->status, more, json, size);
}

static void refuse(struct connection *c, int status, const char *more, const char *message) {
    struct api_error err = {.status = status};
    snprintf(err.message, sizeof err.message, "%s", message);
    reply_error(c, &err, more);
}

// ---- texts ----------------------------------------------------------------------------------------------------------

static void begin_text(struct server *s, struct connection *c, bool is_chat, const char *body, size_t size) {
    struct api_error err;
    struct talk *t = calloc(1, sizeof *t);
    if (!t || !api_read(&s->api, is_chat, body, size, &t->x, &err)) {
        if (t)
            reply_error(c, &err, "");
        else
            refuse(c, 503, "", "out of memory");
        free(t);
        return;
    }
    t->c = c;
    snprintf(t->x.id, sizeof t->x.id, "%s-%016llx%06llx", is_chat ? "chatcmpl" : "cmpl", (unsigned long long)s->seed,
             (unsigned long long)s->ids++);
    t->x.created_s = (int64_t)time(NULL);
    snprintf(t->x.job->client, sizeof t->x.job->client, "%s", connection_client(c));
    if (!worker_add(s->worker, t->x.job)) {
        job_destroy(t->x.job);
        free(t);
        refuse(c, 429, "Retry-After: 5\r\n", "too many texts wait already; try again later");
        return;
    }
    connection_set(c, t);
    t->next = s->talks;
    s->talks = t;
    if (t->x.in_parts) connection_begin(c, "text/event-stream; charset=utf-8");
}

static void drop_talk(struct server *s, struct talk *t) {
    struct talk **at = &s->talks;
    while (*at != t)
        at = &(*at)->next;
    *at = t->next;
    worker_drop(s->worker, t->x.job);
    free(t);
}

static void go_on_with(struct server *s, struct talk *t) {
    bool ended = false, failed = false;
    size_t size = 0;
    char *text = NULL;
    worker_lock(s->worker);
    const struct job *job = t->x.job;
    struct api_error err = {.status = 500};
    if (t->x.in_parts) {
        text = api_part(&s->api, &t->x, &size, &ended);
    } else if (job->state == JOB_DONE) {
        ended = true;
        failed = job->finish == FINISH_FAILED;
        snprintf(err.message, sizeof err.message, "%s", job->why);
        if (!failed) text = api_answer(&s->api, &t->x, &size);
    }
    worker_unlock(s->worker);
    struct connection *c = t->c;
    if (t->x.in_parts) {
        if (text) connection_part(c, text, size);
        free(text);
    }
    if (!ended) return;
    bool in_parts = t->x.in_parts;
    drop_talk(s, t);
    if (in_parts)
        connection_end(c);
    else if (failed)
        reply_error(c, &err, "");
    else
        reply_json(c, 200, "", text, size);
}

static void on_tick(void *user) {
    struct server *s = user;
    for (struct talk *t = s->talks, *next; t; t = next) {
        next = t->next;
        go_on_with(s, t);
    }
}

static void on_gone(void *user, struct connection *c) {
    struct server *s = user;
    if (connection_get(c)) drop_talk(s, connection_get(c));
}

// ---- who may ask ----------------------------------------------------------------------------------------------------

// The host of "host:port" is this machine. Pages that another name leads here (DNS rebinding) are refused by it.
bool server_is_this_host(const char *host) {
    char name[64];
    if (strlen(host) >= sizeof name) return false;
    strcpy(name, host);
    char *colon = name[0] == '[' ? strstr(name, "]:") : strrchr(name, ':');
    if (colon) colon[name[0] == '['] = 0;
    return strcasecmp(name, "localhost") == 0 || strcmp(name, "127.0.0.1") == 0 || strcmp(name, "[::1]") == 0;
}

static bool is_same_origin(const struct http_request *r) {
    const char *origin = http_header(r, "origin"), *host = http_header(r, "host");
    if (!origin) return true; // no page
    const char *name = strstr(origin, "://");
    return name && host && strcasecmp(name + 3, host) == 0;
}

// In a time that does not depend on where they differ.
static bool is_key(const char *given, const char *key) {
    size_t size = strlen(key);
    unsigned char differs = strlen(given) != size;
    for (size_t i = 0; i < size; i++)
        differs |= (unsigned char)((unsigned char)key[i] ^ (unsigned char)given[given[0] ? i % strlen(given) : 0]);
    return differs == 0;
}

static bool bears_key(const struct server *s, const struct http_request *r) {
    const char *given = http_header(r, "authorization");
    if (!s->o->key) return true;
    return given && strncasecmp(given, "Bearer ", 7) == 0 && is_key(given + 7, s->o->key);
}

// ---- what for -------------------------------------------------------------------------------------------------------

static void reply_metrics(struct server *s, struct connection *c) {
    struct worker_counts n = worker_count(s->worker);
    char text[2048];
    int size = snprintf(text, sizeof text,
                        "# TYPE whorl_texts_running gauge\nwhorl_texts_running %u\n"
                        "# TYPE whorl_texts_waiting gauge\nwhorl_texts_waiting %u\n"
                        "# TYPE whorl_connections gauge\nwhorl_connections %u\n"
                        "# TYPE whorl_prompt_tokens_total counter\nwhorl_prompt_tokens_total %llu\n"
                        "# TYPE whorl_prompt_tokens_reused_total counter\nwhorl_prompt_tokens_reused_total %llu\n"
                        "# TYPE whorl_tokens_made_total counter\nwhorl_tokens_made_total %llu\n"
                        "# TYPE whorl_texts_dropped_total counter\nwhorl_texts_dropped_total %llu\n"
                        "# TYPE whorl_texts_failed_total counter\nwhorl_texts_failed_total %llu\n"
                        "# TYPE whorl_calls_total counter\nwhorl_calls_total %llu\n"
                        "# TYPE whorl_device_seconds_total counter\nwhorl_device_seconds_total %.3f\n"
                        "# TYPE whorl_answers_total counter\nwhorl_answers_total{status=\"2xx\"} %llu\n"
                        "whorl_answers_total{status=\"4xx\"} %llu\nwhorl_answers_total{status=\"5xx\"} %llu\n",
                        n.running, n.waiting, listener_connections(s->listener), (unsigned long long)n.prompt_tokens,
                        (unsigned long long)n.reused_tokens, (unsigned long long)n.made_tokens,
                        (unsigned long long)n.dropped, (unsigned long long)n.failed, (unsigned long long)n.calls,
                        n.busy_s, (unsigned long long)listener_answers(s->listener, 2),
                        (unsigned long long)listener_answers(s->listener, 4),
                        (unsigned long long)listener_answers(s->listener, 5));
    connection_reply(c, 200, "text/plain; version=0.0.4", "", text, (size_t)size);
}

static void reply_health(struct server *s, struct connection *c) {
    static const char well[] = "{\"status\": \"ok\"}\n";
    char why[200];
    if (worker_is_well(s->worker, why, sizeof why))
        connection_reply(c, 200, "application/json", "", well, sizeof well - 1);
    else
        refuse(c, 503, "", why);
}

static void reply_page(struct connection *c) {
    const struct base_embedded *page = base_embedded_find(serve_pages, serve_pages_count, "chat.html");
    connection_reply(
        c, 200, "text/html; charset=utf-8",
        "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
        "connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n",
        page->text, page->size);
}

static void reply_models(struct server *s, struct connection *c) {
    size_t size = 0;
    char *json = api_models(&s->api, s->begun_s, &size);
    reply_json(c, 200, "", json, size);
}

// The name that is escaped at `path`, cut where the room ends; false: its escapes are none.
static bool read_name(const char *path, char *out, size_t room) {
    size_t size = 0;
    while (*path && size + 1 < room) {
        int c = http_path_byte(&path);
        if (c <= 0) return false;
        out[size++] = (char)c;
    }
    out[size] = 0;
    return true;
}

static void reply_model(struct server *s, struct connection *c, const char *path) {
    struct api_error err = {.status = 404, .param = "model"};
    char name[512];
    if (!read_name(path, name, sizeof name)) snprintf(name, sizeof name, "%s", path);
    if (strcmp(name, s->o->name) == 0) {
        size_t size = 0;
        char *json = api_model(&s->api, s->begun_s, &size);
        reply_json(c, 200, "", json, size);
    } else {
        snprintf(err.message, sizeof err.message, "there is no model '%.200s'; this server has '%.100s'", name,
                 s->o->name);
        reply_error(c, &err, "");
    }
}

enum route { PAGE, HEALTH, METRICS, MODELS, MODEL, COMPLETIONS, CHAT, ROUTES };
static const struct {
    const char *path;
    bool is_post, is_open; // open: without a key
} routes[ROUTES] = {[PAGE] = {"/", false, true},
                    [HEALTH] = {"/health", false, true},
                    [METRICS] = {"/metrics", false, false},
                    [MODELS] = {"/v1/models", false, false},
                    [MODEL] = {"/v1/models/", false, false}, // and a name
                    [COMPLETIONS] = {"/v1/completions", true, false},
                    [CHAT] = {"/v1/chat/completions", true, false}};

static void take_route(struct server *s, struct connection *c, const struct http_request *r, enum route route,
                       const char *body, size_t size) {
    const char *type = http_header(r, "content-type");
    switch (route) {
    case PAGE: reply_page(c); break;
    case HEALTH: reply_health(s, c); break;
    case METRICS: reply_metrics(s, c); break;
    case MODELS: reply_models(s, c); break;
    case MODEL: reply_model(s, c, r->path + strlen(routes[MODEL].path)); break;
    default:
        // a form of another site cannot have this type without asking first
        if (!type || strncasecmp(type, "application/json", 16) != 0)
            refuse(c, 415, "", "the body of a request is JSON: Content-Type: application/json");
        else
            begin_text(s, c, route == CHAT, body, size);
    }
}

static enum route find_route(const char *path) {
    enum route route = PAGE;
    while (route < ROUTES && strcmp(path, routes[route].path) != 0)
        route++;
    size_t size = strlen(routes[MODEL].path);
    return route == ROUTES && strncmp(path, routes[MODEL].path, size) == 0 ? MODEL : route;
}

static void on_request(void *user, struct connection *c, const struct http_request *r, const char *body, size_t size) {
    struct server *s = user;
    const char *host = http_header(r, "host");
    enum route route = find_route(r->path);
    bool reads = strcmp(r->method, "GET") == 0 || strcmp(r->method, "HEAD") == 0;
    if (s->is_local && host && !server_is_this_host(host))
        refuse(c, 403, "", "this server is for this machine: call it localhost or 127.0.0.1");
    else if (!is_same_origin(r))
        refuse(c, 403, "", "pages of other sites may not use this server");
    else if (route == ROUTES)
        refuse(c, 404, "",
               "there is no such path; /v1/models, /v1/completions, /v1/chat/completions, /health, /metrics");
    else if (routes[route].is_post ? strcmp(r->method, "POST") != 0 : !reads)
        refuse(c, 405, routes[route].is_post ? "Allow: POST\r\n" : "Allow: GET, HEAD\r\n",
               "this path takes other methods");
    else if (!routes[route].is_open && !bears_key(s, r))
        refuse(c, 401, "WWW-Authenticate: Bearer\r\n", "a key is needed: Authorization: Bearer KEY");
    else
        take_route(s, c, r, route, body, size);
}

// ---- its life -------------------------------------------------------------------------------------------------------

static bool on_stop(void *user) {
    struct server *s = user;
    char why[200];
    return s->o->stop(s->o->user) || (!s->talks && !worker_is_well(s->worker, why, sizeof why));
}

static void on_wake(void *user) { listener_wake(((struct server *)user)->listener); }

enum whorl_status server_check(const struct server_options *o, struct whorl_error *err) {
    if (server_is_local(o->host) || o->key) return WHORL_OK;
    return base_set_error(err, WHORL_INVALID, "call",
                          "at %s others can reach this server: --api-key is needed, or WHORL_API_KEY", o->host);
}

static enum whorl_status begin_server(struct server *s, struct decoder *decoder, struct whorl_error *err) {
    const struct server_options *o = s->o;
    const struct listener_calls calls = {on_request, on_gone, on_tick, on_stop, s};
    if (server_check(o, err) != WHORL_OK) return WHORL_INVALID;
    s->is_local = server_is_local(o->host);
    s->begun_s = (int64_t)time(NULL);
    s->seed = model_random_seed();
    s->api =
        (struct api){.model = o->name, .context = decoder->context, .vocab = decoder->config.vocab, .most = o->most};
    enum whorl_status status = model_chat_open(o->path, decoder->file, &s->api.chat, err);
    // the worker's thread reads the decoder's own
    if (status == WHORL_OK) status = model_tokenizer_open(o->path, decoder->file, &s->api.tokenizer, err);
    if (status == WHORL_OK) status = listener_open(o->host, o->port, &limits, &calls, &s->listener, &s->port, err);
    if (status == WHORL_OK) status = worker_create(decoder, o->waiting, on_wake, s, &s->worker, err);
    return status;
}

enum whorl_status server_run(struct decoder *decoder, const struct server_options *options, struct whorl_error *err) {
    struct server s = {.o = options};
    char why[200];
    enum whorl_status status = begin_server(&s, decoder, err);
    if (status == WHORL_OK) {
        options->ready(options->user, options->host, s.port);
        status = listener_run(s.listener, err);
    }
    if (status == WHORL_OK && !worker_is_well(s.worker, why, sizeof why))
        status = base_set_error(err, WHORL_DEVICE, "run", "%s", why);
    while (s.talks)
        drop_talk(&s, s.talks);
    worker_destroy(s.worker);
    listener_close(s.listener);
    model_tokenizer_close(s.api.tokenizer);
    model_chat_close(&s.api.chat);
    return status;
}
