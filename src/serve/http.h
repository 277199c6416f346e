// The heads of HTTP/1.1 requests, read strictly: what two readers could take in different ways is refused.
#ifndef WHORL_SERVE_HTTP_H
#define WHORL_SERVE_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HTTP_HEAD_BYTES = 16384, HTTP_HEADERS = 64 };

struct http_header {
    const char *name, *value; // spaces around the value are gone
};
struct http_request {
    const char *method, *path; // "POST", "/v1/models"; what stood behind ? is left out
    int minor;                 // HTTP/1.minor
    uint64_t body_bytes;       // Content-Length; 0: none
    bool keep_alive, expects_continue;
    uint32_t header_count;
    struct http_header headers[HTTP_HEADERS];
    char text[HTTP_HEAD_BYTES + 1]; // that the above point into
};

// Reads a head at the beginning of `data`. Returns its bytes; 0: there is more to come; below 0: minus the status that
// refuses it (400, 411 a body without Content-Length, 431 too large, 505).
int http_read_head(const char *data, size_t size_bytes, struct http_request *out);
// The value of a header, in any case of letters; NULL: there is none.
const char *http_header(const struct http_request *request, const char *name);

// The byte of a path at *at, escaped as %XX or not; moves behind it. Below 0: the escape is none.
int http_path_byte(const char **at);

const char *http_reason(int status); // "Not Found"

#endif
