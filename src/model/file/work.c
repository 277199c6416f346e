// Works.
#include "model/file/work.h"

#include <stdio.h>
#include <string.h>

void model_work_init(struct model_work *w, const char *name) {
    memset(w, 0, sizeof *w);
    base_cx_init(&w->cx);
    w->name = name;
}

void model_work_deinit(struct model_work *w) {
    if (w->doc) yyjson_doc_free(w->doc);
    w->doc = NULL;
    base_cx_deinit(&w->cx);
}

enum whorl_status model_work_run(struct model_work *w, struct whorl_error *err,
                                 void (*job)(struct model_work *, void *), void *arg) {
    w->err = err;
    w->told = false;
    bool ended = setjmp(w->cx.bail) != 0;
    if (!ended) job(w, arg);
    w->err = NULL;
    if (!ended) return WHORL_OK;
    if (!w->told)
        base_set_error(err, w->cx.status, "model", "%s: %s", w->name,
                       w->cx.status == WHORL_LIMIT ? "reading it would take more memory than such a file may need"
                                                   : "out of memory");
    return w->cx.status;
}

static _Noreturn void refuse(struct model_work *w, enum whorl_status status, const char *format, va_list args) {
    char text[1024];
    vsnprintf(text, sizeof text, format, args);
    // what hostile names hold must not steer a terminal
    for (char *c = text; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f) *c = '?';
    w->told = true;
    w->cx.status = base_set_error(w->err, status, "model", "%s: %s", w->name, text);
    longjmp(w->cx.bail, 1);
}

void model_refuse(struct model_work *w, enum whorl_status status, const char *format, ...) {
    va_list args;
    va_start(args, format);
    refuse(w, status, format, args);
}

void model_invalid(struct model_work *w, const char *format, ...) {
    va_list args;
    va_start(args, format);
    refuse(w, WHORL_INVALID, format, args);
}

const char model_more_needed[] = "more of its beginning has to be there";
