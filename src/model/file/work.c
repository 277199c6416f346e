// Works and mapped files.
#include "model/file/work.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

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

// ---- mapped files ----

// NULL, or why the open file cannot be mapped.
static const char *map_file(int file, struct model_map *out) {
    struct stat info;
    if (fstat(file, &info) != 0) return strerror(errno);
    if (!S_ISREG(info.st_mode)) return "it is no regular file";
    if (info.st_size == 0) return "it is empty";
    if ((uintmax_t)info.st_size > SIZE_MAX) return "it is larger than this machine's memory can address";
    void *data = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (data == MAP_FAILED) return strerror(errno);
    *out = (struct model_map){data, (size_t)info.st_size};
    return NULL;
}

void model_map_open(struct model_work *w, const char *path, struct model_map *out) {
    *out = (struct model_map){0};
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); // a pipe must not block: it is refused
    const char *why = file < 0 ? strerror(errno) : map_file(file, out);
    if (file >= 0) close(file);
    if (why) model_refuse(w, WHORL_IO, "cannot be read: %s", why);
}

void model_map_close(struct model_map *map) {
    if (map->data) munmap((void *)(uintptr_t)map->data, map->size_bytes);
    *map = (struct model_map){0};
}

uint64_t model_random_seed(void) {
    uint64_t seed = 0;
    if (getrandom(&seed, sizeof seed, GRND_NONBLOCK) == (ssize_t)sizeof seed) return seed;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_nsec * 0x9e3779b97f4a7c15u ^ (uint64_t)(uintptr_t)&now;
}
