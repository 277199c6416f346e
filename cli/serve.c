// `whorl serve`: a model behind an HTTP API, or the static site.
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "serve/server.h"
#include "serve/site.h"
#include "speak.h"

enum { SERVE_CONTEXT = 2048, SERVE_PORT = 8080, SERVE_WAITING = 256 }; // guess

static bool is_over(void) { return guard_left_s() > 0 && guard_left_s() < 1e-5; }

static bool stop(void *user) {
    (void)user;
    return guard_stopped() || is_over();
}

static void ready(void *user, const char *host, uint16_t port) {
    const struct speaker *s = user;
    char device[200];
    cli_device_words(whorl_device_get_info(s->m.device), device, sizeof device);
    if (s->o->quiet) return;
    if (s->m.decoder.tiles.why[0]) cli_hint("prompts are computed token by token: %s", s->m.decoder.tiles.why);
    bool is_v6 = strchr(host, ':') != NULL;
    cli_hint("%s at http://%s%s%s:%u on %s; %u texts at once, of %u tokens. Ctrl-C ends it", s->o->files.items[0],
             is_v6 ? "[" : "", host, is_v6 ? "]" : "", port, device, s->m.decoder.texts, s->m.decoder.context);
}

// The last part of a path.
static const char *name_of(const char *path, char out[200]) {
    size_t size = strlen(path);
    while (size > 1 && path[size - 1] == '/')
        size--;
    size_t from = size;
    while (from > 0 && path[from - 1] != '/')
        from--;
    snprintf(out, 200, "%.*s", (int)(size - from), path + from);
    return out;
}

static enum whorl_status serve(struct speaker *s, const struct cli_options *o, struct whorl_error *err) {
    char name[200];
    const char *key = o->api_key ? o->api_key : getenv("WHORL_API_KEY");
    struct server_options options = {.path = o->files.items[0],
                                     .name = o->name ? o->name : name_of(o->files.items[0], name),
                                     .host = o->host ? o->host : "127.0.0.1",
                                     .port = (uint16_t)(o->port ? o->port : SERVE_PORT),
                                     .key = key && *key ? key : NULL,
                                     .most = (uint32_t)o->new_tokens,
                                     .waiting = SERVE_WAITING,
                                     .stop = stop,
                                     .ready = ready,
                                     .user = s};
    if (o->texts > DECODER_TEXTS)
        return base_set_error(err, WHORL_INVALID, "call", "--texts is 1 to %d", DECODER_TEXTS);
    enum whorl_status status = server_check(&options, err);
    if (status == WHORL_OK) status = speak_open(s, o, err);
    if (status != WHORL_OK) return status;
    uint32_t most = s->m.decoder.config.context;
    uint64_t context = o->context ? o->context : most < SERVE_CONTEXT ? most : SERVE_CONTEXT;
    if (context > most)
        return base_set_error(err, WHORL_LIMIT, "data", "the model was made for %u tokens: a smaller --context", most);
    s->texts = o->texts ? (uint32_t)o->texts : DECODER_TEXTS;
    status = speak_start(s, (uint32_t)context, err);
    guard_stage(GUARD_SERVING);
    if (status == WHORL_OK) status = server_run(&s->m.decoder, &options, err);
    if (status == WHORL_OK && is_over()) status = base_set_error(err, WHORL_STOPPED, "run", "stopped by --max-time");
    return status;
}

// ---- the site -------------------------------------------------------------------------------------------------------

static void site_ready(void *user, const char *host, uint16_t port) {
    const struct cli_options *o = user;
    bool is_v6 = strchr(host, ':') != NULL;
    if (!o->quiet)
        cli_hint("the site at http://%s%s%s:%u. Ctrl-C ends it", is_v6 ? "[" : "", host, is_v6 ? "]" : "", port);
}

// Where `make web` and `make install` put it, seen from this program.
static const char *site_folder(char out[PATH_MAX]) {
    static const char *const places[] = {"/site", "/../share/whorl/site"};
    char self[PATH_MAX];
    ssize_t size = readlink("/proc/self/exe", self, sizeof self - 1);
    if (size < 0) size = 0;
    self[size] = 0;
    char *slash = strrchr(self, '/');
    if (slash) *slash = 0;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (snprintf(out, PATH_MAX, "%s%s", self, places[i]) < PATH_MAX && access(out, R_OK) == 0) return out;
    return "build/site";
}

static enum whorl_status serve_site(const struct cli_options *o, struct whorl_error *err) {
    char found[PATH_MAX];
    struct site_options options = {.folder = o->files.count ? o->files.items[0] : site_folder(found),
                                   .host = o->host ? o->host : "127.0.0.1",
                                   .port = (uint16_t)(o->port ? o->port : SERVE_PORT),
                                   .stop = stop,
                                   .ready = site_ready,
                                   .user = (void *)(uintptr_t)o};
    guard_stage(GUARD_SERVING);
    enum whorl_status status = site_run(&options, err);
    if (status == WHORL_OK && is_over()) status = base_set_error(err, WHORL_STOPPED, "run", "stopped by --max-time");
    return status;
}

enum cli_exit cli_serve(const struct cli_options *o) {
    struct speaker s = {0};
    struct whorl_error err = {0};
    guard_stage(GUARD_READING);
    err.status = o->site ? serve_site(o, &err) : serve(&s, o, &err);
    enum cli_exit code = err.status == WHORL_OK ? CLI_OK : cli_report(&err);
    guard_done(cli_flush(code));
    speak_close(&s);
    return code;
}
