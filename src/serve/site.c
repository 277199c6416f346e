// Paths of requests are taken apart and opened part by part from the folder on, none of them through a link: whatever a
// path says, what is opened lies in the folder.
#include "serve/site.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "serve/listener.h"
#include "serve/server.h"

// A folder may be copied from anywhere, so answers are large and connections few.
static const struct listener_limits limits = {.connections = 64,
                                              .body_bytes = 1024,
                                              .waiting_bytes = SITE_FILE_BYTES + (1 << 20),
                                              .head_s = 10,
                                              .body_s = 10,
                                              .write_s = 30,
                                              .quiet_s = 30};

struct site {
    const struct site_options *o;
    struct listener *listener;
    int folder;
    bool is_local;
};

// ---- paths ----------------------------------------------------------------------------------------------------------

// A part of a path, up to the slash that ends it. A name that begins with a dot is no part of a site.
static bool is_part(const char *text, size_t size) { return size > 0 && text[0] != '.' && !memchr(text, '\\', size); }

bool site_path(const char *path, char out[SITE_PATH_BYTES]) {
    size_t size = 0, begin = 0;
    if (*path++ != '/') return false;
    while (*path) {
        bool is_escaped = *path == '%';
        int c = http_path_byte(&path);
        if (is_escaped) {
            if (c < 32 || c == '/' || c == 127) return false;
        } else if (c == '/') {
            if (!is_part(out + begin, size - begin)) return false;
            begin = size + 1;
        }
        if (size + sizeof "/index.html" >= SITE_PATH_BYTES) return false;
        out[size++] = (char)c;
    }
    out[size] = 0;
    if (size == begin)
        strcpy(out + size, "index.html");
    else if (!is_part(out + begin, size - begin))
        return false;
    return true;
}

int site_open(int folder, const char *path, size_t *out_bytes) {
    char part[SITE_PATH_BYTES];
    struct stat info;
    int at = dup(folder);
    *out_bytes = 0;
    while (at >= 0 && strchr(path, '/')) {
        size_t size = strcspn(path, "/");
        memcpy(part, path, size);
        part[size] = 0;
        int next = openat(at, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        close(at);
        at = next;
        path += size + 1;
    }
    if (at < 0) return -1;
    int file = openat(at, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC); // a pipe must not block
    close(at);
    if (file < 0) return -1;
    bool known = fstat(file, &info) == 0, is_folder = known && S_ISDIR(info.st_mode);
    if (known && S_ISREG(info.st_mode) && info.st_size <= SITE_FILE_BYTES) {
        *out_bytes = (size_t)info.st_size;
        return file;
    }
    close(file);
    return is_folder ? -2 : -1;
}

const char *site_type(const char *path) {
    static const char *const types[][2] = {
        {".html", "text/html; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".json", "application/json"},
        {".wasm", "application/wasm"},
        {".svg", "image/svg+xml"},
        {".png", "image/png"},
        {".txt", "text/plain; charset=utf-8"},
        {".ico", "image/vnd.microsoft.icon"},
        {".webp", "image/webp"},
        {".md", "text/plain; charset=utf-8"},
    };
    const char *end = strrchr(path, '.');
    for (size_t i = 0; end && i < sizeof types / sizeof *types; i++)
        if (strcmp(end, types[i][0]) == 0) return types[i][1];
    return "application/octet-stream";
}

// ---- answers --------------------------------------------------------------------------------------------------------

// Pages ask their own server only. A worker has the policy of its own file, and one of them fetches models from where
// its visitor says (docs/web.md).
static const char *policy_of(const char *path) {
    static const char worker[] = "assets/model_worker-";
    return strncmp(path, worker, sizeof worker - 1) == 0 ? "connect-src 'self' https:; " : "";
}

static void refuse(struct connection *c, int status, const char *more) {
    char text[100];
    int size = snprintf(text, sizeof text, "%d %s\n", status, http_reason(status));
    connection_reply(c, status, "text/plain; charset=utf-8", more, text, (size_t)size);
}

static void reply_file(struct connection *c, const char *path, int file, size_t size) {
    char more[600];
    char *data = malloc(size + 1);
    size_t there = 0;
    while (data && there < size) {
        ssize_t n = read(file, data + there, size - there);
        if (n <= 0) break;
        there += (size_t)n;
    }
    snprintf(
        more, sizeof more,
        "Content-Security-Policy: default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src "
        "'self' data: blob:; %sobject-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n"
        "Cross-Origin-Opener-Policy: same-origin\r\nCross-Origin-Embedder-Policy: require-corp\r\n"
        "Cross-Origin-Resource-Policy: same-origin\r\nReferrer-Policy: no-referrer\r\n",
        policy_of(path));
    if (data && there == size)
        connection_reply(c, 200, site_type(path), more, data, size);
    else
        refuse(c, 503, "");
    free(data);
}

// A folder's name without its slash: links in its page would lead beside it.
static void reply_slash(struct connection *c, const char *path) {
    char more[HTTP_HEAD_BYTES + 32];
    snprintf(more, sizeof more, "Location: %s/\r\n", path);
    if (strlen(more) < 500 && strncmp(path, "//", 2) != 0)
        refuse(c, 308, more);
    else
        refuse(c, 404, "");
}

static void on_request(void *user, struct connection *c, const struct http_request *r, const char *body, size_t size) {
    struct site *s = user;
    const char *host = http_header(r, "host");
    char path[SITE_PATH_BYTES];
    size_t bytes = 0;
    (void)body, (void)size;
    if (s->is_local && host && !server_is_this_host(host)) {
        refuse(c, 403, "");
        return;
    }
    if (strcmp(r->method, "GET") != 0 && strcmp(r->method, "HEAD") != 0) {
        refuse(c, 405, "Allow: GET, HEAD\r\n");
        return;
    }
    int file = site_path(r->path, path) ? site_open(s->folder, path, &bytes) : -1;
    if (file == -2)
        reply_slash(c, r->path);
    else if (file < 0)
        refuse(c, 404, "");
    else
        reply_file(c, path, file, bytes);
    if (file >= 0) close(file);
}

// ---- its life -------------------------------------------------------------------------------------------------------

static void on_gone(void *user, struct connection *c) { (void)user, (void)c; }
static void on_tick(void *user) { (void)user; }
static bool on_stop(void *user) {
    const struct site *s = user;
    return s->o->stop(s->o->user);
}

enum whorl_status site_run(const struct site_options *options, struct whorl_error *err) {
    struct site s = {.o = options, .is_local = server_is_local(options->host)};
    const struct listener_calls calls = {on_request, on_gone, on_tick, on_stop, &s};
    uint16_t port = 0;
    size_t bytes;
    s.folder = open(options->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int page = s.folder < 0 ? -1 : site_open(s.folder, "index.html", &bytes);
    enum whorl_status status = WHORL_OK;
    if (page < 0)
        status = base_set_error(err, WHORL_IO, "serve",
                                "there is no index.html in \"%s\": `make web` builds the site into build/site",
                                options->folder);
    else
        close(page);
    if (status == WHORL_OK)
        status = listener_open(options->host, options->port, &limits, &calls, &s.listener, &port, err);
    if (status == WHORL_OK) {
        options->ready(options->user, options->host, port);
        status = listener_run(s.listener, err);
    }
    listener_close(s.listener);
    if (s.folder >= 0) close(s.folder);
    return status;
}
