// What the parts of whorl_rows share: the job (a workload's program and arrays) and the samples of one strategy.
#ifndef WHORL_BENCH_ROWS_H
#define WHORL_BENCH_ROWS_H

#include "whorl.h"
#include "yyjson.h"

enum { ROWS_MAX_PARAMS = 64, ROWS_MAX_SAMPLES = 31 };

struct rows_options {
    const char *folder, *workload, *form, *table, *strategies;
    uint32_t register_budget, workgroup_size, lanes; // 0: what was measured on the device; the compiler's choice
    bool brief;                                      // fewer samples: a point of a curve
    bool fast_math;                                  // compile option of that name
    const char *pass_off;                            // the same; NULL: none
    const char *label;                               // behind the row's name; NULL: none
};

struct rows_job {
    const struct rows_options *options;
    yyjson_doc *table, *given; // workloads.json, the workload's scalars.json
    yyjson_val *entry;         // the workload in the table
    const char *path;          // of the C program
    struct whorl_scalar scalars[ROWS_MAX_PARAMS];
    char names[ROWS_MAX_PARAMS][64]; // of the scalars
    size_t scalar_count;
    whorl_program *program;
    struct whorl_target target; // the program was compiled for
    double compile_ms;
    size_t param_count;
    void *start[ROWS_MAX_PARAMS]; // of each array before a run: its file's elements, or zeros
    bool goes_on
        [ROWS_MAX_PARAMS]; // read and written: without restoring it a call would go on from what the last one left
    size_t size_bytes[ROWS_MAX_PARAMS];
};

// Reads everything and compiles for `device` (NULL: for any). On failure `err` is filled and rows_job_deinit is due all
// the same.
enum whorl_status rows_job_init(const struct rows_options *options, const whorl_device *device, struct rows_job *out,
                                struct whorl_error *err);
void rows_job_deinit(struct rows_job *job);
// `per_call` of the table: a number, or the name of a scalar.
double rows_per_call(const struct rows_job *job);

// The protocol of bench/peers/harness.py.
enum { ROWS_PROTOCOL = 4, ROWS_IN_FLIGHT = 100 };
struct rows_samples {
    double ms[ROWS_MAX_SAMPLES]; // of one call
    size_t count;
};
struct rows_times {
    struct rows_samples waited;                  // single calls, each waited for
    struct rows_samples in_flight;               // of ROWS_IN_FLIGHT calls with a submit each, waited for once
    struct rows_samples batch;                   // of as many in one submit
    uint64_t calls, dispatches, submits, slices; // of all timed single calls
    bool fell_back;
    char note[256]; // why it did
};
// What is timed.
struct rows_contestant {
    void *user;
    // Runs so many calls, waited for once; per_submit: how many share a submit, 0: as many as fit.
    enum whorl_status (*run)(void *user, uint32_t calls, uint32_t per_submit, struct whorl_stats *stats,
                             struct whorl_error *err);
    // Puts what the calls overwrite back to where they start from, outside of the clock. NULL: a call leaves its inputs
    // as they are.
    enum whorl_status (*restore)(void *user, struct whorl_error *err);
    bool brief;
    double warmed_ms; // calls so long were made before: they count as warm-up
};
enum whorl_status rows_time(const struct rows_contestant *what, struct rows_times *out, struct whorl_error *err);
double rows_now_ms(void);

// One line of the results: what was timed, and as whom.
struct rows_row {
    struct rows_job *job;
    const char *peer;
    const char *strategy;    // NULL: not one of whorl's
    uint64_t workgroup_size; // 0: cannot be told
    enum whorl_status status;
    const char *error; // why there is no time
    double ready_ms;   // until the first result, without the compile
    struct whorl_stats first;
    const struct whorl_tuning *tuning; // strategy auto: what it was chosen from; else NULL
    const char *auto_takes; // strategy single: what auto takes on this device without a measurement; else NULL
    struct rows_times times;
};
void rows_print(const struct rows_row *row, const struct whorl_device_info *info);

// The kernels of bench/hand for this workload; false if one of them has no time.
bool rows_run_hand(struct rows_job *job, whorl_device *device);

#endif
