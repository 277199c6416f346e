// One line ends with CR LF and nothing else, a header that matters stands there once, and lengths are digits.
#include <string.h>
#include <strings.h>

#include "serve/http.h"

const char *http_reason(int status) {
    switch (status) {
    case 200: return "OK";
    case 308: return "Permanent Redirect";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 408: return "Request Timeout";
    case 411: return "Length Required";
    case 413: return "Content Too Large";
    case 415: return "Unsupported Media Type";
    case 429: return "Too Many Requests";
    case 431: return "Request Header Fields Too Large";
    case 503: return "Service Unavailable";
    case 505: return "HTTP Version Not Supported";
    default: return "Internal Server Error";
    }
}

const char *http_header(const struct http_request *request, const char *name) {
    for (uint32_t i = 0; i < request->header_count; i++)
        if (strcasecmp(request->headers[i].name, name) == 0) return request->headers[i].value;
    return NULL;
}

// RFC 9110, 5.6.2
static bool is_token(const char *text) {
    if (!*text) return false;
    for (; *text; text++) {
        bool alnum = (*text >= '0' && *text <= '9') || ((*text | 32) >= 'a' && (*text | 32) <= 'z');
        if (!alnum && !strchr("!#$%&'*+-.^_`|~", *text)) return false;
    }
    return true;
}

static int digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    c |= 32;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

int http_path_byte(const char **at) {
    const char *c = *at;
    *at = c + 1;
    if (*c != '%') return (unsigned char)*c;
    int high = digit(c[1]), low = high < 0 ? -1 : digit(c[2]);
    if (low < 0) return -1;
    *at = c + 3;
    return high * 16 + low;
}

// The end of the head in `data`, behind its empty line; 0: not there. *out_bare: a line before that ends with a line
// feed alone, so that a client which ends all its lines so is not waited for.
static size_t find_end(const char *data, size_t size, bool *out_bare) {
    size_t line = 0;
    for (size_t i = 0; i < size; i++) {
        if (data[i] != '\n') continue;
        *out_bare = i == 0 || data[i - 1] != '\r';
        if (*out_bare) return 0;
        if (line > 0 && i == line + 1) return i + 1;
        line = i + 1;
    }
    return 0;
}

// Ends the line at its CR LF; the next line, or NULL where the bytes of this one cannot be.
static char *cut_line(char *line) {
    char *end = strstr(line, "\r\n");
    if (!end) return NULL;
    *end = 0;
    for (const char *c = line; *c; c++)
        if (((unsigned char)*c < 32 && *c != '\t') || *c == 127) return NULL;
    return end + 2;
}

static int read_first_line(char *line, struct http_request *out) {
    char *target = strchr(line, ' '), *version = target ? strchr(target + 1, ' ') : NULL;
    if (!version) return -400;
    *target++ = *version++ = 0;
    if (strncmp(version, "HTTP/", 5) != 0 || !is_token(line)) return -400;
    if (strcmp(version, "HTTP/1.1") != 0 && strcmp(version, "HTTP/1.0") != 0) return -505;
    if (target[0] != '/') return -400;
    for (const char *c = target; *c; c++)
        if ((unsigned char)*c <= 32 || (unsigned char)*c > 126) return -400;
    target[strcspn(target, "?#")] = 0;
    out->method = line;
    out->path = target;
    out->minor = version[7] - '0';
    return 0;
}

static int read_header(char *line, struct http_request *out) {
    char *colon = strchr(line, ':');
    if (!colon) return -400; // also a line that goes on with the one before it
    *colon = 0;
    if (!is_token(line)) return -400;
    char *value = colon + 1;
    value += strspn(value, " \t");
    for (char *end = value + strlen(value); end > value && (end[-1] == ' ' || end[-1] == '\t');)
        *--end = 0;
    static const char *const once[] = {"content-length", "transfer-encoding", "host", "authorization", "origin"};
    for (size_t i = 0; i < sizeof once / sizeof *once; i++)
        if (strcasecmp(line, once[i]) == 0 && http_header(out, line)) return -400;
    if (out->header_count == HTTP_HEADERS) return -431;
    out->headers[out->header_count++] = (struct http_header){line, value};
    return 0;
}

static int read_meaning(struct http_request *out) {
    const char *length = http_header(out, "content-length"), *connection = http_header(out, "connection"),
               *expect = http_header(out, "expect");
    if (out->minor == 1 && !http_header(out, "host")) return -400;
    if (http_header(out, "transfer-encoding")) return length ? -400 : -411;
    if (length) {
        size_t digits = strspn(length, "0123456789");
        if (digits == 0 || length[digits] || digits > 15) return -400;
        for (const char *c = length; *c; c++)
            out->body_bytes = out->body_bytes * 10 + (uint64_t)(*c - '0');
    }
    out->keep_alive = out->minor == 1 ? !connection || strcasecmp(connection, "close") != 0
                                      : connection && strcasecmp(connection, "keep-alive") == 0;
    out->expects_continue = expect && strcasecmp(expect, "100-continue") == 0;
    return 0;
}

int http_read_head(const char *data, size_t size_bytes, struct http_request *out) {
    size_t size = size_bytes < HTTP_HEAD_BYTES ? size_bytes : HTTP_HEAD_BYTES, end;
    bool is_bare = false;
    end = find_end(data, size, &is_bare);
    if (is_bare) return -400;
    if (end == 0) return size_bytes >= HTTP_HEAD_BYTES ? -431 : 0;
    memset(out, 0, offsetof(struct http_request, text));
    memcpy(out->text, data, end);
    out->text[end] = 0;
    if (memchr(data, 0, end)) return -400;
    char *line = out->text, *next = cut_line(line);
    int wrong = next ? read_first_line(line, out) : -400;
    while (wrong == 0) {
        line = next;
        next = cut_line(line);
        if (!next) return -400;
        if (!*line) break;
        wrong = read_header(line, out);
    }
    if (wrong == 0) wrong = read_meaning(out);
    return wrong != 0 ? wrong : (int)end;
}
