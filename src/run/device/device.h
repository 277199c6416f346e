// What is behind the public `whorl_device`: a GPU, or the CPU with its C compiler. Also the pieces that a device keeps
// for its sessions.
#ifndef WHORL_RUN_DEVICE_H
#define WHORL_RUN_DEVICE_H

#include "plan/laws.h"
#include "plan/program.h"
#include "run/device/gpu.h"
#include "run/device/paths.h"

// ---- pipelines.c: kernels made once a device ------------------------------------------------------------------------
enum { RUN_MAX_ENTRIES = PLAN_MAX_BINDINGS + 3 }; // of a bind group: params, control, the kernel's, saved state
struct run_pipeline {
    uint64_t hash;
    char *wgsl;        // the whole text: equal hashes are not yet equal kernels
    uint8_t *writable; // by binding from 2 on
    uint32_t bindings; // storage bindings after params and control, saved state included
    uint32_t param_bytes;
    bool bounded;         // made without the library's counters of loop passes (struct plan_kernel)
    bool proven;          // made without its checks of indices
    size_t head_bytes;    // of it stand before the kernel's own text
    uint32_t users;       // sessions that hold it
    uint32_t grid_groups; // of a grid kernel: more workgroups than that did not work; 0: not known
    WGPUBindGroupLayout layout;
    WGPUPipelineLayout pipeline_layout;
    WGPUComputePipeline pipeline;
};
struct run_pipelines {
    struct run_pipeline **items;
    size_t count, cap;
};
// The pipeline of a kernel, from the cache or made now. run_pipeline_drop gives it back. WHORL_TIMEOUT, WHORL_STOPPED
// and WHORL_CANCELLED: it was given up, and the device with it.
enum whorl_status run_pipeline_get(struct whorl_device *device, const struct plan_kernel *kernel, uint32_t param_words,
                                   struct run_pipeline **out, struct whorl_error *err);
void run_pipeline_drop(struct run_pipeline *pipeline);
// enable_text.c: a copy of a kernel's text with the statements that this device is good for; NULL: out of memory.
char *run_wake(const struct whorl_device *device, const char *text);
void run_pipelines_deinit(struct whorl_device *device);

// Workgroups that the probe's test of coherent memory has words for; kernels that rely on it use no more.
enum { RUN_COHERENT_GROUPS = 1024 };

// ---- what the probe found -------------------------------------------------------------------------------------------
// What was measured on the device, beside what whorl_device_info shows of it.
struct run_probe {
    uint32_t loop_cap;
    uint32_t subgroup_size, subgroup_lanes;
    double dispatch_us, submit_us, wait_us, read_gbps, copy_gbps;
    uint32_t register_words; // loaded words worth keeping over a loop; 0: not measured
    double ops_per_s;        // simple integer operations, all lanes busy
    double latency_ns;       // from asking memory for a word to having it; 0: not measured
    // Barriers between workgroups, as in struct whorl_grid (probe_grid.c).
    bool grid_ok, fences_needed;
    uint32_t grid_groups, grid_groups_max, grid_tested, grid_size_count;
    double spins_per_ms, barrier_ns;
    uint64_t litmus_messages, litmus_stale, litmus_plain_stale;
    // Plain words marked @coherent: no message through them was stale; how many were.
    bool coherent_memory;
    uint64_t coherent_stale;
    struct whorl_grid_size grid_sizes[WHORL_GRID_SIZES];
    char grid_note[160];
    uint32_t builtin_count; // WHORL_BUILTINS; 0: not measured
    struct whorl_builtin builtins[WHORL_BUILTINS];
};

// ---- cache_file.c ---------------------------------------------------------------------------------------------------
// The path of what is kept of this device, driver and library under the name `kind`; false: there is no folder for it.
bool run_cache_file(const struct whorl_device *device, const char *kind, char *out, size_t size);

// The caller's whorl_device_options.warning.
struct run_warning {
    void (*say)(void *user, const char *text);
    void *user;
};
// A file of the cache that is made again.
void run_warn_damaged(const struct run_warning *warning, const char *path);

// ---- cpu.c ----------------------------------------------------------------------------------------------------------
struct run_cc {
    char command[256]; // "gcc"
    char version[128]; // first line of --version; "": not there
};
void run_cc_find(const char *wanted, struct run_cc *out);
struct run_cpu; // a loaded program with its thread
enum whorl_status run_cpu_create(const struct run_cc *cc, const char *cache_dir, const struct run_warning *warning,
                                 const struct whorl_program *program, struct run_cpu **out, struct whorl_error *err);
// Calls the program; returns when it is done, or when it is given up: then `arrays`, what they point to and `scalars`
// must stay for ever. It is given up after max_s (0: never; WHORL_STOPPED), and when `progress`, which is asked every
// tenth of a second, says no (WHORL_CANCELLED). `hear` is called with what the program says, by one of its threads at a
// time. Of the options, max_s, progress and user count.
struct run_hearing {
    void (*hear)(void *listener, const char *text, unsigned long size_bytes, int failed_line); // NULL: nobody
    void *listener;
};
enum whorl_status run_cpu_call(struct run_cpu *cpu, void **arrays, const void *scalars, uint32_t calls,
                               struct run_hearing hearing, const struct whorl_run_options *options,
                               struct whorl_error *err);
bool run_cpu_is_given_up(const struct run_cpu *cpu);
bool run_cpu_holds(const struct run_cpu *cpu, void *const *arrays); // they are of the call that was given up
void run_cpu_destroy(struct run_cpu *cpu);
double run_cpu_build_ms(const struct run_cpu *cpu); // 0 if it came from the cache

// What a device was before it was lost; sessions may still hold its objects.
struct run_lost {
    struct run_gpu *gpu;
    struct run_pipelines pipelines;
    struct run_lost *next;
};

struct whorl_device {
    struct whorl_device_info info;
    char reason[512];
    char cache_dir[RUN_PATH_MAX]; // "" none
    struct run_cc cc;
    struct run_warning warning;
    bool is_free;               // the caller left it to `auto` which device it is
    double kernel_s;            // that the driver may take to make one kernel; < 0: any
    char gave_up[200];          // the kernel that took longer, since this was last emptied; ""
    enum whorl_strategy opened; // by the last session, which may be none of `auto` or `single` although that was asked
    struct run_gpu *gpu;        // NULL: the CPU
    struct run_probe probe;
    struct run_pipelines pipelines;
    struct run_lost *lost;
    struct run_choices *choices; // what `auto` knows of plans (choice.h); NULL: not read yet
    bool pairs_right;            // it passed the probe of pairs of floats
    bool copy_each_slice;        // test hook: the state of a run is kept after each slice
    struct run_grid_test {       // test hooks: params words of grid kernels, 0: as it should be
        uint32_t spins, roll, first;
        uint32_t lose;  // so many slices from now one counts as lost; 0: none
        uint32_t ran;   // out: workgroups of the last slice that was good
        double lost_ms; // out: from the submit of the last slice that was not to its verdict
    } grid_test;
};

#endif
