// Changes to a kernel's text. Passes of the spins that wait for workgroups can be made longer: where a driver ends an
// invocation's loops after so many passes, a barrier's bound is a fraction of a millisecond, less than it takes a busy
// machine to wake a second thread. Elsewhere they must not be: a barrier's bound is two seconds of plain spins, and
// would become a minute.
#ifndef WHORL_TESTS_GRID_TEXT_H
#define WHORL_TESTS_GRID_TEXT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline char *joined(const char *head, size_t size, const char *middle, const char *tail) {
    char *out = malloc(size + strlen(middle) + strlen(tail) + 1);
    if (!out) abort();
    memcpy(out, head, size);
    strcpy(out + size, middle);
    strcat(out, tail);
    return out;
}

// `text` with [from, to) replaced; frees text.
static inline char *replaced(char *text, size_t from, size_t to, const char *by) {
    char *out = joined(text, from, by, text + to);
    free(text);
    return out;
}

static inline char *all_replaced(char *text, const char *what, const char *by, size_t first) {
    for (char *at; (at = strstr(text + first, what));) {
        size_t from = (size_t)(at - text);
        text = replaced(text, from, from + strlen(what), by);
        first = from + strlen(by);
    }
    return text;
}

// A copy of a grid kernel with a function grid_pass() that takes a while. What control[7] holds is nobody's.
static inline char *grid_with_pass(const char *text, const char *body) {
    char function[6200];
    snprintf(function, sizeof function, "fn grid_pass() {\n%s}\nfn whorl_roll_call(", body);
    char *out = strdup(text);
    if (!out) abort();
    return all_replaced(out, "fn whorl_roll_call(", function, 0);
}

// For a driver that ends loops: 64 divisions take the time, not passes of a loop, and every spin calls it.
static inline char *grid_slow_spins(const char *text) {
    static const char spin[] = "seen = atomicLoad(&control[4]);", roll[] = "here = atomicLoad(&control[5]);";
    char body[6000];
    size_t size = (size_t)snprintf(body, sizeof body, "    var x = params[1].z | 1u;\n");
    for (unsigned i = 0; i < 64; i++)
        size += (size_t)snprintf(body + size, sizeof body - size, "    x = %uu / x | 1u;\n", 4000000007u + i);
    snprintf(body + size, sizeof body - size, "    atomicAdd(&control[7], x);\n");
    char *out = grid_with_pass(text, body);
    out = all_replaced(out, spin, "seen = atomicLoad(&control[4]); grid_pass();", 0);
    return all_replaced(out, roll, "here = atomicLoad(&control[5]); grid_pass();", 0);
}

// For hardware: one addition in memory, which the next one waits for. The kernel stays small, since drivers put every
// call in place.
static inline char *grid_quick_pass(const char *text) {
    char *out = grid_with_pass(text, "    grid_last = atomicAdd(&control[7], grid_last | 1u);\n");
    return all_replaced(out, "fn grid_pass()", "var<private> grid_last: u32;\nfn grid_pass()", 0);
}

#endif
