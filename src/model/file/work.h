// What every reader of a model's files shares. A *work* reads one thing: its memory is one arena, freed whole, and the
// first fault ends it with a status and a message that names the file. So no function below the one that begins a work
// checks for NULL, and nothing leaks when bytes are hostile.
#ifndef WHORL_MODEL_WORK_H
#define WHORL_MODEL_WORK_H

#include "base/base.h"
#include "base/json.h"

struct model_work {
    struct base_cx cx;       // arena; its bail ends the work
    struct whorl_error *err; // may be NULL; only while a job runs
    const char *name;        // of the file that is being read, for messages
    yyjson_doc *doc;         // at most one at a time
    bool told;               // err is filled
};

void model_work_init(struct model_work *w, const char *name);
void model_work_deinit(struct model_work *w); // of zeros: fine

// Runs the job; what it refuses becomes the status, err (may be NULL) is filled. Jobs of one work do not nest.
enum whorl_status model_work_run(struct model_work *w, struct whorl_error *err,
                                 void (*job)(struct model_work *, void *), void *arg);

// Ends the job. The message is "NAME: ..." and says what to do where that is known.
_Noreturn void model_refuse(struct model_work *w, enum whorl_status status, const char *format, ...) BASE_PRINTF(3, 4);
// WHORL_INVALID
_Noreturn void model_invalid(struct model_work *w, const char *format, ...) BASE_PRINTF(2, 3);

// A whole file, mapped to be read. A file that another process cuts while it is mapped ends this process (SIGBUS): do
// not write a model's files while they are used.
struct model_map {
    const unsigned char *data;
    size_t size_bytes;
    size_t there_bytes; // so many stand at data; fewer than all only in a page, which keeps tensors elsewhere
};
// What WHORL_IO says where too few bytes are there to read on.
extern const char model_more_needed[];
void model_map_open(struct model_work *w, const char *path, struct model_map *out);
void model_map_close(struct model_map *map); // of zeros: fine

// The first bytes of a file, up to size_bytes. -> how many there are
size_t model_text_read(struct model_work *w, const char *path, char *out, size_t size_bytes);

// 64 bits from the system that no file can foresee: what hash tables of outside data begin with.
uint64_t model_random_seed(void);

#endif
