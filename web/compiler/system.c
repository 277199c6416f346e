// What the command line has around it and a page has not: a terminal, a process to watch, a clock, file descriptors.
#include <stdarg.h>
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
