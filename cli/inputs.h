// A job: one program with everything that the command line and the file's own directives say about its inputs.
#ifndef WHORL_CLI_INPUTS_H
#define WHORL_CLI_INPUTS_H

#include "directives.h"
#include "generate.h"
#include "options.h"

struct job_input {
    const char *name;
    const char *text; // behind NAME=
    const char *from; // where it was said, for messages: "-i" or "// run:"
    enum { INPUT_NUMBER, INPUT_FILE, INPUT_GENERATOR } kind;
    double number;
    struct generator generator;
    struct npy npy;
    void *data; // of the file
};

struct job {
    const struct cli_options *options;
    char *path;  // without the entry
    char *entry; // NULL: the compiler chooses
    struct directives directives;
    struct cli_list defines, uniforms; // the file's and the command line's
    struct job_input *inputs;
    size_t input_count;
    struct whorl_scalar *scalars;
    size_t scalar_count;
    struct whorl_shape *shapes;
    size_t shape_count;
    bool double_as_float, double_as_pair, int64_as_int32, keep_order;
    struct whorl_device_info *described; // that it is compiled for, set before job_compile; NULL: none
    const whorl_program *beside;         // as in whorl_compile_options; the caller's, set before job_compile
    whorl_program *program;
    double compile_ms;
    // One entry a parameter, NULL for scalars. `start` is what the program begins with; outputs live in arrays of
    // job_results.
    size_t param_count;
    void **start;
    size_t *size_bytes;
};

// Reads the file's directives, inspects it and reads the inputs. On failure err is filled and the job needs job_deinit,
// too.
enum whorl_status job_open(const struct cli_options *options, struct job *out_job, struct whorl_error *err);
// Compiles for `device`, or for any where it is NULL or --portable was given. Once a job.
enum whorl_status job_compile(struct job *job, const whorl_device *device, struct whorl_error *err);
enum whorl_status job_try_gpu(const struct job *job, struct whorl_error *err); // whether any GPU could have it
// Makes the arrays that the program starts with.
enum whorl_status job_fill(struct job *job, struct whorl_error *err);
// A set of arrays to run on: inputs are shared with job->start, outputs are copies of it. Freed by job_results_destroy.
enum whorl_status job_results_create(const struct job *job, void ***out_arrays, struct whorl_error *err);
void job_results_reset(const struct job *job, void **arrays);
void job_results_destroy(const struct job *job, void **arrays);
void job_deinit(struct job *job);
// What tells the job's kernels from others: 16 digits that `run --json`, `explain` and `show --wgsl` agree on.
const char *job_kernels_hash(const struct job *job, char out[17]);

const struct job_input *job_find_input(const struct job *job, const char *name);

#endif
