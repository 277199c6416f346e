// A folder of files over HTTP: the static site.
#ifndef WHORL_SERVE_SITE_H
#define WHORL_SERVE_SITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "whorl.h"

enum { SITE_PATH_BYTES = 1024, SITE_FILE_BYTES = 64 << 20 };

struct site_options {
    const char *folder;
    const char *host; // to listen at
    uint16_t port;    // 0: any
    bool (*stop)(void *user);
    void (*ready)(void *user, const char *host, uint16_t port);
    void *user;
};

// Serves the folder until `stop` says so. WHORL_IO: there is no such folder, it has no index.html, or the port is
// taken.
enum whorl_status site_run(const struct site_options *options, struct whorl_error *err);

// ---- for tests ----
// The path of a request as one below the folder: percent-decoded, without the slash in front; one that ends with a
// slash gets index.html. False: it is none, because it climbs, hides (".x"), holds a backslash, a NUL or a slash in
// disguise, has an empty part, or is too long.
bool site_path(const char *path, char out[SITE_PATH_BYTES]);
// A regular file of the folder, through folders alone: no link is followed. -1: there is none; -2: it is a folder.
int site_open(int folder, const char *path, size_t *out_bytes);
const char *site_type(const char *path); // of its content, by the end of its name

#endif
