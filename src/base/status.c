// Names and sizes of the public enums, and the one way to fill a struct whorl_error.
#include <string.h>

#include <stdio.h>

#include "base/base.h"

#define TEXT_OF(x) #x
#define VERSION_TEXT(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

const char *whorl_version(void) { return VERSION_TEXT(WHORL_VERSION_MAJOR, WHORL_VERSION_MINOR, WHORL_VERSION_PATCH); }

const char *whorl_status_name(enum whorl_status status) {
    static const char *const names[] = {
        "WHORL_OK",     "WHORL_INVALID", "WHORL_SOURCE",    "WHORL_UNSUPPORTED", "WHORL_LIMIT",    "WHORL_MEMORY",
        "WHORL_DEVICE", "WHORL_TIMEOUT", "WHORL_CANCELLED", "WHORL_IO",          "WHORL_INTERNAL", "WHORL_STOPPED",
    };
    return (size_t)status < sizeof names / sizeof *names ? names[status] : "WHORL_?";
}

enum whorl_status base_set_error(struct whorl_error *err, enum whorl_status status, const char *stage,
                                 const char *format, ...) {
    if (!err) return status;
    err->status = status;
    snprintf(err->stage, sizeof err->stage, "%s", stage);
    err->file[0] = 0;
    err->line = err->col = 0;
    va_list args;
    va_start(args, format);
    vsnprintf(err->message, sizeof err->message, format, args);
    va_end(args);
    return status;
}

const char *whorl_strategy_name(enum whorl_strategy strategy) {
    static const char *const names[] = {"auto", "single", "steps", "eager", "cpu"};
    return (size_t)strategy < sizeof names / sizeof *names ? names[strategy] : "?";
}
