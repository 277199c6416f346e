// The loop waits by poll for sockets and for a pipe that other threads write into. A connection is in one of three
// stages: its head is read, its body, or it waits for an answer; then only its end is looked for, as what comes behind
// a request belongs to the next one.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"
#include "serve/listener.h"

static const double lingering_s = 1;

enum stage { READING_HEAD, READING_BODY, ANSWERING };
struct bytes {
    char *data;
    size_t count, room;
};
struct connection {
    struct listener *l;
    int fd;
    enum stage stage;
    struct bytes in, out;
    struct http_request request; // valid from READING_BODY on
    size_t head_bytes;
    double since;   // when the stage began, or the client last read something
    bool in_parts;  // an answer is under way
    bool is_ending; // closed when all is written, and what the client still sends was read: else the answer may be lost
    bool is_said;   // all is written, and the client was told so
    bool is_broken; // closed as soon as possible
    void *data;
    char client[INET6_ADDRSTRLEN];
};
struct listener {
    int fd, wake[2];
    struct listener_limits limits;
    struct listener_calls calls;
    struct connection **items;
    uint32_t count;
    struct pollfd *polls; // [connections + 2]
    uint64_t answers[6];  // by the status' first digit
};

static double now_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool add(struct bytes *b, const char *data, size_t size) {
    if (b->count + size > b->room) {
        size_t room = 2 * (b->count + size);
        char *more = realloc(b->data, room);
        if (!more) return false;
        b->data = more;
        b->room = room;
    }
    if (size) memcpy(b->data + b->count, data, size);
    b->count += size;
    return true;
}

static void drop_front(struct bytes *b, size_t size) {
    b->count -= size;
    if (b->count) memmove(b->data, b->data + size, b->count);
}

// ---- answers --------------------------------------------------------------------------------------------------------

// As much as the socket takes; the rest waits for poll.
static void send_some(struct connection *c) {
    size_t sent = 0;
    while (sent < c->out.count) {
        ssize_t n = send(c->fd, c->out.data + sent, c->out.count - sent, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && errno != EAGAIN) c->is_broken = true;
        if (n <= 0) break;
        sent += (size_t)n;
    }
    if (sent) {
        drop_front(&c->out, sent);
        c->since = now_s();
    }
}

static void put(struct connection *c, const char *data, size_t size) {
    if (c->is_broken) return;
    if (c->out.count == 0) c->since = now_s();
    if (!add(&c->out, data, size) || c->out.count > c->l->limits.waiting_bytes) c->is_broken = true;
}

static void finish(struct connection *c) {
    c->in_parts = false;
    c->data = NULL;
    c->stage = READING_HEAD;
    c->since = now_s();
    if (!c->request.keep_alive) c->is_ending = true;
    send_some(c);
}

void connection_reply(struct connection *c, int status, const char *type, const char *more, const char *body,
                      size_t size_bytes) {
    char head[1024];
    c->l->answers[status / 100]++;
    if (status == 400 || status == 408 || status == 411 || status == 413 || status == 431 || status == 505)
        c->request.keep_alive = false; // what comes next may be no head
    int n =
        snprintf(head, sizeof head,
                 "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\nX-Content-Type-Options: nosniff\r\n"
                 "Cache-Control: no-store\r\nConnection: %s\r\n%s\r\n",
                 status, http_reason(status), type, size_bytes, c->request.keep_alive ? "keep-alive" : "close", more);
    put(c, head, (size_t)n);
    if (!c->request.method || strcmp(c->request.method, "HEAD") != 0) put(c, body, size_bytes);
    finish(c);
}

void connection_begin(struct connection *c, const char *type) {
    char head[512];
    c->l->answers[2]++;
    if (c->request.minor == 0) c->request.keep_alive = false; // its end is the end of the answer
    int n = snprintf(head, sizeof head,
                     "HTTP/1.1 200 OK\r\nContent-Type: %s\r\n%sX-Content-Type-Options: nosniff\r\nCache-Control: "
                     "no-store\r\nX-Accel-Buffering: no\r\nConnection: %s\r\n\r\n",
                     type, c->request.minor ? "Transfer-Encoding: chunked\r\n" : "",
                     c->request.keep_alive ? "keep-alive" : "close");
    c->in_parts = true;
    put(c, head, (size_t)n);
    send_some(c);
}

void connection_part(struct connection *c, const char *data, size_t size_bytes) {
    char size[32];
    if (size_bytes == 0) return;
    if (c->request.minor) put(c, size, (size_t)snprintf(size, sizeof size, "%zx\r\n", size_bytes));
    put(c, data, size_bytes);
    if (c->request.minor) put(c, "\r\n", 2);
    send_some(c);
}

void connection_end(struct connection *c) {
    if (c->request.minor) put(c, "0\r\n\r\n", 5);
    finish(c);
}

void *connection_get(const struct connection *c) { return c->data; }
void connection_set(struct connection *c, void *data) { c->data = data; }
const char *connection_client(const struct connection *c) { return c->client; }

static void refuse(struct connection *c, int status) {
    char body[200];
    int n =
        snprintf(body, sizeof body,
                 "{\"error\": {\"message\": \"%s\", \"type\": \"invalid_request_error\", \"param\": null, \"code\": "
                 "null}}\n",
                 http_reason(status));
    c->request.keep_alive = false;
    connection_reply(c, status, "application/json", "", body, (size_t)n);
}

// ---- requests -------------------------------------------------------------------------------------------------------

// What the bytes so far are enough for.
static void read_requests(struct connection *c) {
    const struct listener *l = c->l;
    if (c->stage == READING_HEAD && c->in.count > 0 && !c->is_ending) {
        int n = http_read_head(c->in.data, c->in.count, &c->request);
        if (n == 0) return;
        if (n < 0) {
            memset(&c->request, 0, offsetof(struct http_request, text));
            refuse(c, -n);
            return;
        }
        c->head_bytes = (size_t)n;
        c->stage = READING_BODY;
        c->since = now_s();
        if (c->request.body_bytes > l->limits.body_bytes) {
            refuse(c, 413);
            return;
        }
        if (c->request.expects_continue && c->in.count < c->head_bytes + c->request.body_bytes) {
            put(c, "HTTP/1.1 100 Continue\r\n\r\n", 25);
            send_some(c);
        }
    }
    size_t all = c->head_bytes + (size_t)c->request.body_bytes;
    if (c->stage != READING_BODY || c->in.count < all) return;
    c->stage = ANSWERING;
    char *body = malloc((size_t)c->request.body_bytes + 1);
    if (!body) {
        c->is_broken = true;
        return;
    }
    memcpy(body, c->in.data + c->head_bytes, (size_t)c->request.body_bytes);
    body[c->request.body_bytes] = 0;
    drop_front(&c->in, all);
    l->calls.request(l->calls.user, c, &c->request, body, (size_t)c->request.body_bytes);
    free(body);
}

static void receive(struct connection *c) {
    char data[16384];
    ssize_t n = recv(c->fd, data, sizeof data, 0);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (n <= 0 || !add(&c->in, data, (size_t)n)) {
        c->is_broken = true;
        return;
    }
    if (c->in.count == (size_t)n && c->stage == READING_HEAD) c->since = now_s();
}

// ---- the loop -------------------------------------------------------------------------------------------------------

static void close_connection(struct listener *l, uint32_t i) {
    struct connection *c = l->items[i];
    if (c->stage == ANSWERING) l->calls.gone(l->calls.user, c);
    close(c->fd);
    free(c->in.data);
    free(c->out.data);
    free(c);
    l->items[i] = l->items[--l->count];
}

static void accept_one(struct listener *l) {
    struct sockaddr_storage from;
    socklen_t size = sizeof from;
    int on = 1, fd = accept4(l->fd, (struct sockaddr *)&from, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0) return;
    struct connection *c = l->count < l->limits.connections ? calloc(1, sizeof *c) : NULL;
    if (!c) {
        close(fd);
        return;
    }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    c->l = l;
    c->fd = fd;
    c->since = now_s();
    if (getnameinfo((struct sockaddr *)&from, size, c->client, sizeof c->client, NULL, 0, NI_NUMERICHOST) != 0)
        strcpy(c->client, "?");
    l->items[l->count++] = c;
}

// How long the connection may stay as it is.
static void look_at_clock(struct connection *c) {
    const struct listener_limits *m = &c->l->limits;
    double waited = now_s() - c->since;
    if (c->out.count > 0 && waited > m->write_s)
        c->is_broken = true;
    else if (c->out.count == 0 && c->stage == READING_HEAD && c->in.count == 0 && waited > m->quiet_s)
        c->is_broken = true;
    else if (!c->is_ending && c->out.count == 0 &&
             ((c->stage == READING_HEAD && c->in.count > 0 && waited > m->head_s) ||
              (c->stage == READING_BODY && waited > m->body_s)))
        refuse(c, 408);
}

static void serve_one(struct connection *c, short events) {
    if (events & (POLLERR | POLLHUP | POLLNVAL)) c->is_broken = true;
    if (c->stage == ANSWERING && (events & POLLRDHUP)) c->is_broken = true;
    if (!c->is_broken && (events & POLLOUT)) send_some(c);
    if (!c->is_broken && c->stage != ANSWERING && (events & POLLIN)) {
        if (c->is_ending) {
            char rest[16384];
            if (recv(c->fd, rest, sizeof rest, 0) == 0) c->is_broken = true;
        } else {
            receive(c);
        }
    }
    if (!c->is_broken && c->stage != ANSWERING) read_requests(c);
    if (!c->is_broken) look_at_clock(c);
    if (!c->is_ending || c->out.count > 0 || c->is_broken) return;
    if (!c->is_said) {
        shutdown(c->fd, SHUT_WR);
        c->is_said = true;
        c->since = now_s();
    } else if (now_s() - c->since > lingering_s) {
        c->is_broken = true;
    }
}

enum whorl_status listener_run(struct listener *l, struct whorl_error *err) {
    while (!l->calls.stop(l->calls.user)) {
        uint32_t count = l->count;
        l->polls[0] = (struct pollfd){l->fd, POLLIN, 0};
        l->polls[1] = (struct pollfd){l->wake[0], POLLIN, 0};
        for (uint32_t i = 0; i < count; i++) {
            const struct connection *c = l->items[i];
            short events = c->stage == ANSWERING ? POLLRDHUP : POLLIN;
            l->polls[i + 2] = (struct pollfd){c->fd, (short)(events | (c->out.count ? POLLOUT : 0)), 0};
        }
        if (poll(l->polls, count + 2, 100) < 0 && errno != EINTR)
            return base_set_error(err, WHORL_IO, "serve", "poll: %s", strerror(errno));
        char drained[64];
        while (read(l->wake[0], drained, sizeof drained) > 0)
            ;
        l->calls.tick(l->calls.user);
        for (uint32_t i = 0; i < count; i++)
            serve_one(l->items[i], l->polls[i + 2].revents);
        if (l->polls[0].revents & POLLIN) accept_one(l);
        for (uint32_t i = l->count; i-- > 0;)
            if (l->items[i]->is_broken) close_connection(l, i);
    }
    return WHORL_OK;
}

void listener_wake(struct listener *l) {
    ssize_t n = write(l->wake[1], "", 1); // a full pipe wakes, too
    (void)n;
}

uint32_t listener_connections(const struct listener *l) { return l->count; }
uint64_t listener_answers(const struct listener *l, int digit) { return l->answers[digit]; }

static enum whorl_status listen_at(struct listener *l, const char *host, uint16_t port, uint16_t *out_port,
                                   struct whorl_error *err) {
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE}, *found = NULL;
    char name[16];
    snprintf(name, sizeof name, "%u", port);
    int wrong = getaddrinfo(strcmp(host, "localhost") == 0 ? "127.0.0.1" : host, name, &hints, &found), on = 1;
    if (wrong) return base_set_error(err, WHORL_INVALID, "call", "no such address: %s (%s)", host, gai_strerror(wrong));
    l->fd = socket(found->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    setsockopt(l->fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    bool ok = l->fd >= 0 && bind(l->fd, found->ai_addr, found->ai_addrlen) == 0 && listen(l->fd, 128) == 0;
    freeaddrinfo(found);
    struct sockaddr_storage at;
    socklen_t size = sizeof at;
    if (!ok || getsockname(l->fd, (struct sockaddr *)&at, &size) != 0)
        return base_set_error(err, WHORL_IO, "serve", "cannot listen at %s, port %u: %s", host, port, strerror(errno));
    *out_port = ntohs(at.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)(void *)&at)->sin6_port
                                               : ((struct sockaddr_in *)(void *)&at)->sin_port);
    return WHORL_OK;
}

enum whorl_status listener_open(const char *host, uint16_t port, const struct listener_limits *limits,
                                const struct listener_calls *calls, struct listener **out, uint16_t *out_port,
                                struct whorl_error *err) {
    struct listener *l = *out = calloc(1, sizeof *l);
    if (!l) return base_set_error(err, WHORL_MEMORY, "serve", "out of memory");
    l->fd = l->wake[0] = l->wake[1] = -1;
    l->limits = *limits;
    l->calls = *calls;
    l->items = calloc(limits->connections, sizeof(struct connection *));
    l->polls = calloc(limits->connections + 2, sizeof *l->polls);
    enum whorl_status status = WHORL_OK;
    if (!l->items || !l->polls || pipe2(l->wake, O_NONBLOCK | O_CLOEXEC) != 0)
        status = base_set_error(err, WHORL_MEMORY, "serve", "out of memory");
    if (status == WHORL_OK) status = listen_at(l, host, port, out_port, err);
    if (status == WHORL_OK) return WHORL_OK;
    listener_close(l);
    *out = NULL;
    return status;
}

void listener_close(struct listener *l) {
    if (!l) return;
    while (l->count > 0) {
        l->items[0]->stage = READING_HEAD;
        close_connection(l, 0);
    }
    if (l->fd >= 0) close(l->fd);
    if (l->wake[0] >= 0) close(l->wake[0]);
    if (l->wake[1] >= 0) close(l->wake[1]);
    free(l->items);
    free(l->polls);
    free(l);
}
