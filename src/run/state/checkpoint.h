// The state of a run, kept so that the run can go on elsewhere: in host memory for when the device is lost, in a file
// (a checkpoint) for when the process ends.
//
// A *copy* is the run's place (session.h) and the contents of all buffers that the strategy's kernels write, as bytes:
// snapshot.c. It is taken between slices, when nothing is under way and every word that was computed is believed. What
// kernels only read needs no copy: inputs are the caller's, tables the plan's. checkpoint_policy.c decides when one is
// taken, checkpoint.c makes it a file and back, run_once.c brings a run back to it.
#ifndef WHORL_RUN_KEEP_H
#define WHORL_RUN_KEEP_H

#include "run/session/session.h"

enum {
    RUN_COPY_BYTES = 1 << 30, // larger copies are made for checkpoints only
    RUN_MAX_LOSSES = 3,       // of devices in one run: the last is an error
};

// What a checkpoint belongs to.
struct run_identity {
    uint64_t plan, scalars, inputs; // hashes; inputs: arrays as they were at the start
    enum whorl_strategy strategy;   // as the session was opened
};

struct run_copy {
    unsigned char *data; // NULL: none
    size_t size_bytes;
    double taken_s, fraction;
};

struct run_keep {
    const char *path;  // of the checkpoint, or NULL
    double every_s;    // 0: only when the run ends early
    bool is_for_loss;  // a lost device is replaced
    double copy_every; // seconds between copies, follows what one costs; < 0: each slice (tests)
    struct run_identity identity;
    struct run_copy copy;
    bool is_written; // the file holds this copy
    double written_s, tried_s;
    uint32_t losses, checkpoints;
    uint64_t slices_at_loss;
};

// ---- snapshot.c -----------------------------------------------------------------------------------------------------
// Reads the state from the device; *out is the caller's to free (data by base_heap_free).
enum whorl_status run_copy_take(struct whorl_session *s, struct run_copy *out, struct whorl_error *err);
// False if the bytes are no copy of a run of this session's program. On success the session's place, its loop variables
// and the grid kernel's saved words are the copy's. Nothing on the device is touched.
bool run_copy_place(struct whorl_session *s, const struct run_copy *copy);
// The same, then writes it to the device, which must be made for the strategy.
enum whorl_status run_copy_put(struct whorl_session *s, const struct run_copy *copy, struct whorl_error *err);
// What it would have now.
size_t run_copy_bytes(const struct whorl_session *s);
// Upper bound of the size of any copy.
size_t run_copy_most(const struct whorl_session *s);

// ---- checkpoint_policy.c --------------------------------------------------------------------------------------------
// Between slices: takes a copy if it is time, writes the checkpoint. What fails here without a lost device is a
// warning.
enum whorl_status run_keep_now_and_then(struct whorl_session *s, struct whorl_error *err);
// The run ends here with this status and message, which is extended by where its state is. A checkpoint that cannot be
// written is an error of its own.
enum whorl_status run_keep_stop(struct whorl_session *s, enum whorl_status why, const char *message,
                                struct whorl_error *err);
// The run failed: the last copy goes to the file, if there is one; `err` tells of it.
void run_keep_fail(struct whorl_session *s, struct whorl_error *err);
void run_keep_drop(struct whorl_session *s);

// ---- checkpoint.c ---------------------------------------------------------------------------------------------------
// Hash of the bytes. Where a single word of 8 bytes is another, so is the hash.
uint64_t run_sum(uint64_t sum, const void *data, size_t size_bytes);
enum whorl_status run_checkpoint_write(const struct whorl_session *s, const char *path, const struct run_copy *copy,
                                       struct whorl_error *err);
// Reads and checks the file; *out_copy is of this session's program, inputs and strategy.
enum whorl_status run_checkpoint_read(const struct whorl_session *s, const char *path, struct run_copy *out_copy,
                                      struct whorl_error *err);
// The same of a file's bytes: its copy is the part from *out_at on.
enum whorl_status run_checkpoint_check(const struct whorl_session *s, const char *name, const unsigned char *data,
                                       size_t size_bytes, struct run_copy *out_copy, size_t *out_at,
                                       struct whorl_error *err);
// What the run that wrote it was opened as, unchecked: AUTO if the file does not say.
enum whorl_strategy run_checkpoint_strategy(const char *path);

#endif
