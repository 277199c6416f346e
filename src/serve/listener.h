// Connections of HTTP/1.1: one thread that waits for all of them, and tells who asks for what. Times and sizes are
// limited for each connection, so that slow and silent clients cost no more than their place.
#ifndef WHORL_SERVE_LISTENER_H
#define WHORL_SERVE_LISTENER_H

#include "serve/http.h"
#include "whorl.h"

struct listener;
struct connection;

struct listener_limits {
    uint32_t connections;                    // more are closed at once
    size_t body_bytes;                       // of a request; else 413
    size_t waiting_bytes;                    // that a client did not read yet; more closes its connection
    double head_s, body_s, write_s, quiet_s; // a head, a body, a part of an answer, a connection between two requests
};

struct listener_calls {
    // A whole request. Answered by connection_reply or connection_begin, now or at a later call of any kind.
    void (*request)(void *user, struct connection *c, const struct http_request *r, const char *body,
                    size_t size_bytes);
    // Its client has gone before the answer was complete, or did not read it. The connection is freed then.
    void (*gone)(void *user, struct connection *c);
    // After listener_wake, and at least every tenth of a second.
    void (*tick)(void *user);
    // True ends listener_run.
    bool (*stop)(void *user);
    void *user;
};

// host: an address, or "localhost". port 0: any; *out_port is the one that was taken. WHORL_IO: it is taken, or may not
// be listened at.
enum whorl_status listener_open(const char *host, uint16_t port, const struct listener_limits *limits,
                                const struct listener_calls *calls, struct listener **out, uint16_t *out_port,
                                struct whorl_error *err);
enum whorl_status listener_run(struct listener *l, struct whorl_error *err);
void listener_close(struct listener *l); // NULL is fine. Connections are closed, `gone` is called for none
// From any thread.
void listener_wake(struct listener *l);
uint32_t listener_connections(const struct listener *l);
// Answers with a status that begins with this digit, also of requests that `request` never saw.
uint64_t listener_answers(const struct listener *l, int digit);

// An answer at once. type: of its content. more: further lines of the head, each with CR LF, or "".
void connection_reply(struct connection *c, int status, const char *type, const char *more, const char *body,
                      size_t size_bytes);
// An answer in parts.
void connection_begin(struct connection *c, const char *type);
void connection_part(struct connection *c, const char *data, size_t size_bytes);
void connection_end(struct connection *c);
// What the caller keeps with a connection; NULL at first, and behind each answer.
void *connection_get(const struct connection *c);
void connection_set(struct connection *c, void *data);
const char *connection_client(const struct connection *c); // its address

#endif
