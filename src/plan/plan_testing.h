// The texts that plan_test.c judges, for the readers of plans in other languages (web/tests/plans.mjs).
#ifndef WHORL_PLAN_TESTING_H
#define WHORL_PLAN_TESTING_H

#include <stdio.h>
#include <stdlib.h>

static inline void plan_put_case_string(FILE *out, const char *text) {
    fputc('"', out);
    for (const unsigned char *at = (const unsigned char *)text; *at; at++)
        fprintf(out, *at < 32 || *at > 126 || *at == '"' || *at == '\\' ? "\\u%04x" : "%c", *at);
    fputc('"', out);
}

// Adds a line of JSON to the file that $PLAN_CASES names, if it names one: "plan" or "kernel", the text, and a part of
// what a reader has to say to it (a kernel: all of it); NULL: it is good.
static inline void plan_keep_case(const char *kind, const char *text, const char *why) {
    const char *path = getenv("PLAN_CASES");
    FILE *out = path ? fopen(path, "a") : NULL;
    if (!out) return;
    fprintf(out, "{\"kind\":\"%s\",\"text\":", kind);
    plan_put_case_string(out, text);
    fputs(",\"why\":", out);
    if (why)
        plan_put_case_string(out, why);
    else
        fputs("null", out);
    fputs("}\n", out);
    fclose(out);
}

#endif
