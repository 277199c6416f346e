// Heads of requests from anybody: refused, not complete, or one whose parts lie inside of what was given; and the same
// however the bytes are cut.
#include <stdlib.h>
#include <string.h>

#include "serve/http.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes) {
    static struct http_request whole, part;
    int n = http_read_head((const char *)data, size_bytes, &whole);
    if (n > (int)size_bytes || n > HTTP_HEAD_BYTES) abort();
    if (n <= 0) {
        if (n < 0 && strcmp(http_reason(-n), "Internal Server Error") == 0) abort();
        return 0;
    }
    const char *end = whole.text + n;
    if (whole.path[0] != '/' || !*whole.method || whole.header_count > HTTP_HEADERS) abort();
    for (uint32_t i = 0; i < whole.header_count; i++)
        if (whole.headers[i].name < whole.text || whole.headers[i].value + strlen(whole.headers[i].value) > end)
            abort();
    if (whole.minor == 1 && !http_header(&whole, "Host")) abort();
    if (http_read_head((const char *)data, (size_t)n - 1, &part) > 0) abort();
    if (http_read_head((const char *)data, (size_t)n, &part) != n) abort();
    return 0;
}
