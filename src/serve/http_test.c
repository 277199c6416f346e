// Heads of requests: what is taken, and every way in which two readers could differ.
#include "check.h"
#include "serve/http.h"

static struct http_request r;
static int read_head(const char *text) { return http_read_head(text, strlen(text), &r); }

TEST(a_whole_head) {
    const char *text = "POST /v1/completions?x=1 HTTP/1.1\r\nHost: a:1\r\ncontent-length:  12 \r\nX: \t y \r\n\r\n{}";
    CHECK_EQ_INT(strlen(text) - 2, read_head(text));
    CHECK_EQ_STR("POST", r.method);
    CHECK_EQ_STR("/v1/completions", r.path);
    CHECK_EQ_INT(12, r.body_bytes);
    CHECK_EQ_STR("a:1", http_header(&r, "HOST"));
    CHECK_EQ_STR("y", http_header(&r, "x"));
    CHECK(!http_header(&r, "y") && r.keep_alive && r.minor == 1);
}

TEST(more_is_to_come) {
    const char *text = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    for (size_t n = 0; n < strlen(text); n++)
        CHECK_EQ_INT(0, http_read_head(text, n, &r));
    CHECK_EQ_INT(strlen(text), read_head(text));
}

TEST(connections_stay) {
    read_head("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    CHECK(!r.keep_alive);
    read_head("GET / HTTP/1.0\r\n\r\n");
    CHECK(!r.keep_alive && r.minor == 0);
    read_head("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n");
    CHECK(r.keep_alive);
}

TEST(refused) {
    static const struct {
        int status;
        const char *text;
    } cases[] = {{400, "GET / HTTP/1.1\r\n\r\n"}, // no host
                 {400, "GET  / HTTP/1.1\r\nHost: a\r\n\r\n"},
                 {400, "GET /\r\nHost: a\r\n\r\n"},
                 {400, "GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n"},
                 {400, "GET /\x7f HTTP/1.1\r\nHost: a\r\n\r\n"},
                 {400, "G@T / HTTP/1.1\r\nHost: a\r\n\r\n"},
                 {400, "GET / HTTP/1.1 \nHost: a\r\n\r\n"},
                 {505, "GET / HTTP/1.2\r\nHost: a\r\n\r\n"},
                 {400, "GET / http/1.1\r\nHost: a\r\n\r\n"},
                 {400, "GET / HTTP/1.1\r\nHost: a\nX: y\r\n\r\n"}, // a line feed alone
                 {400, "GET / HTTP/1.1\nHost: a\n\n"},             // all of them: nothing more would come
                 {400, "GET / HTTP/1.1\r\nHost: a\r\n\n"},
                 {400, "GET / HTTP/1.1\r\nHost: a\r\n y\r\n\r\n"},
                 {400, "GET / HTTP/1.1\r\nHost: a\r\nX : y\r\n\r\n"},
                 {400, "GET / HTTP/1.1\r\nHost: a\r\n: y\r\n\r\n"},
                 {400, "GET / HTTP/1.1\r\nHost: a\r\nX\r\n\r\n"},
                 {400, "GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n"},
                 {400, "GET / HTTP/1.1\r\nHost: a\r\nOrigin: b\r\nOrigin: c\r\n\r\n"},
                 {400, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n"},
                 {400, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\n"},
                 {400, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0x1\r\n\r\n"},
                 {400, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 1\r\n\r\n"},
                 {400, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n"},
                 {400, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length:\r\n\r\n"},
                 {400, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"},
                 {411, "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (read_head(cases[i].text) != -cases[i].status) FAIL("%s is no %d", cases[i].text, cases[i].status);
    static const char zero[] = "GET / HTTP/1.1\r\nHost: a\0\r\n\r\n";
    CHECK_EQ_INT(-400, http_read_head(zero, sizeof zero - 1, &r));
}

TEST(too_large) {
    static char text[HTTP_HEAD_BYTES + 100];
    memset(text, 'x', sizeof text);
    CHECK_EQ_INT(0, http_read_head(text, HTTP_HEAD_BYTES - 1, &r));
    CHECK_EQ_INT(-431, http_read_head(text, sizeof text, &r));
    int n = snprintf(text, sizeof text, "GET / HTTP/1.1\r\nHost: a\r\n");
    for (int i = 1; i < HTTP_HEADERS; i++)
        n += snprintf(text + n, sizeof text - (size_t)n, "a: %d\r\n", i);
    snprintf(text + n, sizeof text - (size_t)n, "\r\n");
    CHECK(read_head(text) > 0);
    snprintf(text + n, sizeof text - (size_t)n, "b: c\r\n\r\n");
    CHECK_EQ_INT(-431, read_head(text));
}
