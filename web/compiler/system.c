// What the command line has around it and a page has not: a terminal, a process to watch, a clock, file descriptors.
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "guard.h"
#include "web.h"

// ---- messages -------------------------------------------------------------------------------------------------------
static char said[2048];
static size_t said_size;

static void say(const char *format, va_list args) {
    if (said_size && said_size + 1 < sizeof said) said[said_size++] = '\n';
    int size = vsnprintf(said + said_size, sizeof said - said_size, format, args);
    size_t left = sizeof said - 1 - said_size;
    said_size += size < 0 ? 0 : (size_t)size < left ? (size_t)size : left;
}

void cli_error(const char *format, ...) {
    va_list args;
    va_start(args, format);
    say(format, args);
    va_end(args);
}

void cli_hint(const char *format, ...) {
    va_list args;
    va_start(args, format);
    say(format, args);
    va_end(args);
}

const char *web_said(void) {
    said[said_size] = 0;
    said_size = 0;
    return said;
}

// ---- a worker that nobody watches: the page ends its own ------------------------------------------------------------
void guard_stage(enum guard_stage stage) { (void)stage; }

int clock_gettime(clockid_t clock, struct timespec *out) {
    (void)clock;
    *out = (struct timespec){0};
    return 0;
}

// ---- what the C library's stdio and exit would import ---------------------------------------------------------------
#ifdef __wasm__
#define WASI(name) __imported_wasi_snapshot_preview1_##name
enum { BADF = 8 };
int32_t WASI(fd_close)(int32_t fd);
int32_t WASI(fd_fdstat_get)(int32_t fd, int32_t out);
int32_t WASI(fd_seek)(int32_t fd, int64_t offset, int32_t whence, int32_t out);
int32_t WASI(fd_write)(int32_t fd, int32_t spans, int32_t count, int32_t out);
_Noreturn void WASI(proc_exit)(int32_t code);
int32_t WASI(fd_close)(int32_t fd) { return (void)fd, BADF; }
int32_t WASI(fd_fdstat_get)(int32_t fd, int32_t out) { return (void)fd, (void)out, BADF; }
int32_t WASI(fd_seek)(int32_t fd, int64_t offset, int32_t whence, int32_t out) {
    return (void)fd, (void)offset, (void)whence, (void)out, BADF;
}
int32_t WASI(fd_write)(int32_t fd, int32_t spans, int32_t count, int32_t out) {
    return (void)fd, (void)spans, (void)count, (void)out, BADF;
}
_Noreturn void WASI(proc_exit)(int32_t code) {
    (void)code;
    __builtin_trap();
}
#endif
