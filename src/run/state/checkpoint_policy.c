// When the state of a run is kept, and what is said where that fails. A copy takes the time to read the arrays back, so
// the time between two is many times what the last one took.
#include <stdio.h>
#include <string.h>

#include "run/state/checkpoint.h"

static const double copy_every_s = 5, copy_share = 50; // one copy takes at most 1/50 of the time

static void set_copy(struct run_keep *keep, struct run_copy fresh) {
    base_heap_free(keep->copy.data);
    keep->copy = fresh;
    keep->is_written = false;
}

void run_keep_drop(struct whorl_session *s) {
    if (s->keep) set_copy(s->keep, (struct run_copy){0});
}

// The old copy stays until the new one is whole.
static enum whorl_status take_copy(struct whorl_session *s, struct whorl_error *err) {
    struct run_copy fresh;
    double start = run_now_s();
    enum whorl_status status = run_copy_take(s, &fresh, err);
    if (status != WHORL_OK) return status;
    set_copy(s->keep, fresh);
    double cost = run_now_s() - start;
    if (s->keep->copy_every >= 0)
        s->keep->copy_every = cost * copy_share > copy_every_s ? cost * copy_share : copy_every_s;
    return WHORL_OK;
}

static enum whorl_status write_file(struct whorl_session *s, struct whorl_error *err) {
    struct run_keep *keep = s->keep;
    enum whorl_status status = run_checkpoint_write(s, keep->path, &keep->copy, err);
    keep->tried_s = run_now_s();
    if (status != WHORL_OK) return status;
    keep->is_written = true;
    keep->written_s = keep->tried_s;
    keep->checkpoints++;
    return WHORL_OK;
}

static void old_file_words(const struct run_keep *keep, char *out, size_t size) {
    out[0] = 0;
    if (keep->checkpoints)
        snprintf(out, size, "; %.200s has the state of %.0f s before", keep->path, run_now_s() - keep->written_s);
}

enum whorl_status run_keep_now_and_then(struct whorl_session *s, struct whorl_error *err) {
    struct run_keep *keep = s->keep;
    struct whorl_error why = {0};
    if (!keep) return WHORL_OK;
    double now = run_now_s(), last = keep->copy.data ? keep->copy.taken_s : s->progress.start_s;
    double tried = keep->tried_s > 0 ? keep->tried_s : s->progress.start_s;
    bool file = keep->path && keep->every_s > 0 && now - tried >= keep->every_s;
    bool copy = keep->is_for_loss && now - last >= keep->copy_every && run_copy_bytes(s) <= RUN_COPY_BYTES;
    if (!file && !copy) return WHORL_OK;
    enum whorl_status status = take_copy(s, &why);
    if (status != WHORL_OK && status != WHORL_MEMORY) { // the device's trouble is the run's
        if (err) *err = why;
        return status;
    }
    if (status == WHORL_OK && file) status = write_file(s, &why);
    if (status == WHORL_OK) return WHORL_OK;
    keep->tried_s = run_now_s();
    if (file) {
        char old[256];
        old_file_words(keep, old, sizeof old);
        snprintf(s->progress.warning, sizeof s->progress.warning, "no checkpoint: %.200s%s; the run goes on",
                 why.message, old);
    } else {
        keep->is_for_loss = false; // no memory for copies
    }
    return WHORL_OK;
}

enum whorl_status run_keep_stop(struct whorl_session *s, enum whorl_status why, const char *message,
                                struct whorl_error *err) {
    struct run_keep *keep = s->keep;
    struct whorl_error trouble = {0};
    if (!keep || !keep->path) return base_set_error(err, why, "run", "%s", message);
    enum whorl_status status = take_copy(s, &trouble);
    if (status == WHORL_OK) status = write_file(s, &trouble);
    if (status == WHORL_OK) return base_set_error(err, why, "run", "%s; %s has its state", message, keep->path);
    if (status != WHORL_IO && status != WHORL_MEMORY) {
        if (err) *err = trouble;
        return status;
    }
    char old[256];
    old_file_words(keep, old, sizeof old);
    return base_set_error(err, status, "run", "%s, and there is no checkpoint of it: %s%s", message, trouble.message,
                          old);
}

void run_keep_fail(struct whorl_session *s, struct whorl_error *err) {
    struct run_keep *keep = s->keep;
    struct whorl_error trouble = {0};
    if (!keep || !keep->path || !err) return;
    bool whole = keep->copy.data && !keep->is_written && write_file(s, &trouble) == WHORL_OK;
    size_t used = strlen(err->message), room = sizeof err->message - used;
    if (whole || keep->is_written)
        snprintf(err->message + used, room, "; %s has the state of %.0f s before", keep->path,
                 run_now_s() - keep->copy.taken_s);
    else if (trouble.message[0])
        snprintf(err->message + used, room, "; no checkpoint: %s", trouble.message);
}
