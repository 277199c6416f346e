// whorl.h - compile a C program with OpenMP loops to one WebGPU kernel, and run it.
//
// The whole public interface, in the order of use: version, status, compile, plan, device, run, stats.
//   - A *program* is C text compiled for fixed values of its integer scalars; it holds the plan and the printed C for the CPU.
//   - A *device* is a GPU behind a WebGPU library, or the CPU behind cc.
//   - A *run* executes the program on the device: caller's arrays in, caller's arrays out.
// Ownership: whatever a `_create`, `_compile`, `_read` or `_open` call hands out is freed by the matching `_destroy`;
// strings that are returned belong to the object they came from. Every struct of options starts as its INIT macro:
// another struct_size is WHORL_INVALID. Pointers may be NULL where that is said here: `err` everywhere, options,
// `out_stats`. Elsewhere NULL is WHORL_INVALID, and functions without a status answer it with nothing: 0, NULL or "".
// Threads: objects are used by one thread at a time; different objects by different threads freely. Nothing here
// prints, exits or aborts: errors are a status and, where given, a filled `struct whorl_error`.
#ifndef WHORL_H
#define WHORL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- version ------------------------------------------------------------------------------------------------------------------
#define WHORL_VERSION_MAJOR 0
#define WHORL_VERSION_MINOR 1
#define WHORL_VERSION_PATCH 0
const char *whorl_version(void); // "0.1.0"

// ---- status -------------------------------------------------------------------------------------------------------------------
// Numbers are fixed for ever.
enum whorl_status {
    WHORL_OK = 0,
    WHORL_INVALID = 1,     // a call's arguments: NULL, options that were not initialised, a name twice, a wrong size
    WHORL_SOURCE = 2,      // the C program is wrong, or does not fit the values that it is compiled for
    WHORL_UNSUPPORTED = 3, // right, but outside the language (the message says what to write instead)
    WHORL_LIMIT = 4,       // over a limit of the device or of the compiler
    WHORL_MEMORY = 5,      // out of memory
    WHORL_DEVICE = 6,      // no library, no adapter, self-test failed, device lost, a WebGPU error
    WHORL_TIMEOUT = 7,     // the device did not answer, or a kernel was not made in time
    WHORL_CANCELLED = 8,   // the progress callback asked to stop
    WHORL_IO = 9,          // a file could not be read or written
    WHORL_INTERNAL = 10,   // a bug in whorl
    WHORL_STOPPED = 11,    // the time of whorl_run_options.max_s was over
};
const char *whorl_status_name(enum whorl_status status); // "WHORL_SOURCE"

// Filled on failure by whoever knows most. `message` may hold several lines (compiler diagnostics with carets).
struct whorl_error {
    enum whorl_status status;
    char stage[16]; // "call", "compile", "plan", "device", "run", "cpu", "data"
    char file[256]; // source file of the first diagnostic, or ""
    uint32_t line, col;
    char message[8192];
};

// ---- compile ------------------------------------------------------------------------------------------------------------------
typedef struct whorl_program whorl_program;

// One integer or float scalar of the entry function, by name.
struct whorl_scalar {
    const char *name;
    double value; // exact for every int32, uint32 and float
};
// The size of an entry array whose type does not give it (float *x): dims in C order.
struct whorl_shape {
    const char *name;
    uint32_t ndims;
    uint64_t dims[8];
};

// What the compiler may know of the device that it compiles for. A field of 0 stands for what every device offers.
// Those of a device that is here are whorl_device_info.target; a program compiled for one device may be refused by
// another (WHORL_LIMIT).
struct whorl_target {
    uint32_t register_words;   // live 32-bit words that an invocation may keep; 0: 64
    uint32_t busy_invocations; // how many keep the device busy (an iteration of fewer takes several lanes); 0: 32768
    uint32_t subgroup_lanes;   // so many neighbours exchange values exactly; 0: no kernel uses subgroup functions
    uint32_t workgroup_bytes;  // memory that the invocations of a workgroup may share; 0: 16384
    uint32_t storage_buffers;  // that a kernel may bind; 0: 8
    uint64_t binding_bytes;    // of one of them; 0: 128 MiB
    bool coherent_memory;      // vectors that workgroups share need not be atomic words
    bool cpu_only;             // no GPU will run it: what is refused for want of a GPU's memory alone is no error
};

struct whorl_compile_options {
    size_t struct_size;
    const char *entry; // NULL: the only function with a parallel loop
    const struct whorl_scalar *scalars;
    size_t scalar_count; // every scalar parameter needs a value
    const struct whorl_shape *shapes;
    size_t shape_count;
    const char *const *uniform; // names of integer scalars kept dynamic in the plan
    size_t uniform_count;
    const char *const *defines; // "NAME" or "NAME=VALUE", as -D
    size_t define_count;
    const char *const *include_dirs; // as -I
    size_t include_dir_count;
    const char *pass_off;       // test hook: comma-separated names of passes to skip, or NULL
    const char *show_after;     // keep the IR's text after this pass for whorl_program_text(WHORL_TEXT_IR)
    bool int64_as_int32;        // -fint64=int32
    bool double_as_float;       // -fdouble=float
    struct whorl_target target; // whorl_device_info.target, or {0} for a program that runs everywhere
    uint32_t workgroup_size;    // 0: chosen by the compiler
    uint32_t lanes;             // test hook: of every iteration that can have several; 0: chosen
    bool fast_math; // the device's own sin, cos, tan, exp, exp2, log, log2, whatever their errors (docs/math.md)
};
#define WHORL_COMPILE_OPTIONS_INIT \
    { .struct_size = sizeof(struct whorl_compile_options) }

// Compiles the file `path`, or `text` under that name if text is not NULL. *out_program is NULL on failure.
enum whorl_status whorl_compile(const char *path, const char *text, const struct whorl_compile_options *options,
                                whorl_program **out_program, struct whorl_error *err);
void whorl_program_destroy(whorl_program *program);

enum whorl_text {
    WHORL_TEXT_WARNINGS, // diagnostics of a compile that succeeded ("" if none)
    WHORL_TEXT_IR,       // the IR after options.show_after, or after the last pass
    WHORL_TEXT_WGSL,     // all kernels
    WHORL_TEXT_C,        // the program as the CPU runs it: preprocessed, double policy applied
    WHORL_TEXT_EXPLAIN,  // what was fused, moved, kept in registers, and why not
    WHORL_TEXT_PLAN,     // the plan as JSON
    WHORL_TEXT_COMMENTS, // the leading comment lines of the source file that start with a directive ("// run: ...")
};
const char *whorl_program_text(const whorl_program *program, enum whorl_text what);

// ---- plan ---------------------------------------------------------------------------------------------------------------------
// Reads a plan written by WHORL_TEXT_PLAN. It is validated: a hostile plan gives WHORL_INVALID. Such a program has no C
// text, so it cannot run on the CPU device.
enum whorl_status whorl_plan_read(const char *json, size_t size_bytes, whorl_program **out_program,
                                  struct whorl_error *err);

// The entry function's parameters, in order.
enum whorl_dtype { WHORL_F32, WHORL_F16, WHORL_I32, WHORL_U32, WHORL_I16, WHORL_U16, WHORL_I8, WHORL_U8, WHORL_BOOL };
struct whorl_param {
    const char *name;
    enum whorl_dtype dtype;
    bool is_array;
    bool is_output; // an array that is not const
    uint32_t ndims; // arrays: shape in C order; a struct's fields are the last dimension
    uint64_t dims[8];
    double value;    // scalars: the value given at compile time
    bool is_uniform; // scalar that may be changed at run time
    // An array of structs whose fields are not all of one type has dtype WHORL_U32; then this is the type of each
    // 32-bit word of one struct, dims[ndims - 1] of them. NULL for every other parameter, and in a program that was
    // read from a plan.
    const enum whorl_dtype *words;
    // An output of integers that no float has had to do with, nor the order in which atomics came: every strategy gives
    // the same bits.
    bool is_exact;
    const char *const *word_names; // beside `words`: the field that a word belongs to, as "pos.x"; "" of padding
};
size_t whorl_program_param_count(const whorl_program *program);
// Barriers across the grid that `single` needs in one step of its innermost loop around parallel loops; 0: none.
uint32_t whorl_program_barriers(const whorl_program *program);
// What one run computes and moves, for rooflines: operations as the C text asks for them (subscripts, comparisons and
// copies are free, a function of math.h is one), and the bytes of each array that a parallel loop of `single` reads or
// writes, once a loop.
struct whorl_work {
    double float_ops, functions, integer_ops;
    double bytes;
    bool
        is_exact; // false: loops or branches depend on data; an unknown loop counts as one pass, of two branches the longer
};
// False where it is not known: of a program that was read from a plan.
bool whorl_program_work(const whorl_program *program, struct whorl_work *out_work);
// Bytes of all buffers that a session on a GPU makes for the program: its arrays, those of its own, and private arrays
// that are too large for an iteration; for the scalars that it was compiled for. 0: not known.
double whorl_program_buffer_bytes(const whorl_program *program);
const struct whorl_param *whorl_program_param(const whorl_program *program, size_t index);
size_t whorl_dtype_size(enum whorl_dtype dtype);      // bytes
const char *whorl_dtype_name(enum whorl_dtype dtype); // "f32"

// What the file's parameters are before any values are known (for command lines): names, types, which need sizes. Like
// whorl_compile, but stops after the entry's declaration; scalars and shapes of the options are ignored, dims of arrays
// that depend on scalars are 0. Text of kind WHORL_TEXT_COMMENTS is there.
enum whorl_status whorl_inspect(const char *path, const char *text, const struct whorl_compile_options *options,
                                whorl_program **out_program, struct whorl_error *err);

// ---- device -------------------------------------------------------------------------------------------------------------------
typedef struct whorl_device whorl_device;

// One of WGSL's own functions as a device computes it, over the arguments where it does its work.
struct whorl_builtin {
    const char *name; // "tanh", "x / y"
    double worst_ulp; // against the C library in double; 2^24: no digit is right
    uint32_t wrong;   // results that are NaN or infinite and should be numbers; they are not in worst_ulp
};
enum { WHORL_BUILTINS = 25 };

// What a barrier between so many workgroups costs.
struct whorl_grid_size {
    uint32_t groups;
    double barrier_ns;
};
enum { WHORL_GRID_SIZES = 4 };

// Whether workgroups of 256 invocations can meet at barriers inside one dispatch (docs/memory-model.md).
struct whorl_grid {
    bool ok;              // the self-test passed; else programs with barriers use one workgroup or dispatches
    bool fences_needed;   // each barrier needs a storageBarrier
    uint32_t groups;      // to be used; 0: not measured
    uint32_t groups_max;  // resident at once
    uint32_t tested;      // barriers of the self-test
    double barrier_ns;    // between `groups` workgroups
    double spins_per_ms;  // passes of a barrier's spin
    uint64_t messages;    // of the litmus test, through atomics
    uint64_t stale;       // of them: the flag was seen and the data was old
    uint64_t plain_stale; // the same with plain loads and stores, which whorl does not use for it
    uint32_t size_count;
    struct whorl_grid_size sizes[WHORL_GRID_SIZES];
    char note[160]; // why it is not ok; or ""
};

struct whorl_device_info {
    char name[128];    // adapter description or CPU compiler
    char library[128]; // "wgpu-native 29.0.1.1 (path)", "cc (gcc 12.2.0)"
    char driver[128];
    char backend[32]; // "vulkan", "metal", "d3d12", "cpu"
    bool is_cpu;      // the cc device, not a software GPU
    bool is_software; // a GPU adapter that runs on the CPU
    bool has_f16, has_subgroups, has_timestamps;
    uint32_t max_invocations, max_storage_buffers, max_groups, workgroup_bytes;
    uint64_t max_binding_bytes, max_buffer_bytes;
    // From the first probe; 0 where it has not run.
    uint32_t loop_cap; // iterations after which the driver silently ends an invocation's loops; 0: none found
    uint32_t subgroup_size;
    struct whorl_target
        target; // what to compile for it; coherent_memory: the library has it and no message through it was stale
    double dispatch_us, submit_us, wait_us, read_gbps;
    double ops_per_s; // simple integer operations, all lanes busy
    struct whorl_grid grid;
    uint32_t builtin_count; // WHORL_BUILTINS, or 0
    struct whorl_builtin builtins[WHORL_BUILTINS];
};

struct whorl_device_options {
    size_t struct_size;
    const char *select;    // "auto", "cpu", "gpu", or an index of whorl_device_list; NULL: auto
    const char *library;   // path of a WebGPU library; NULL: WHORL_WEBGPU, then the installed one
    const char *cache_dir; // probe results, CPU objects; NULL: $XDG_CACHE_HOME/whorl
    const char *cc;        // NULL: $CC or cc
    bool no_probe;
    bool fresh_probe; // measure again, whatever was kept
    double kernel_s;  // time that the driver may take to make one kernel; 0: 60; < 0: any. See whorl_run
    // Hears what is no error and yet worth a line (a damaged file of the cache), on the thread that called; NULL:
    // nobody does.
    void (*warning)(void *user, const char *text);
    void *warning_user;
};
#define WHORL_DEVICE_OPTIONS_INIT \
    { .struct_size = sizeof(struct whorl_device_options) }

// Fills up to `cap` entries, returns how many devices there are; the CPU device is the last. Without a library only the
// CPU is there, and `err` says why. 0: the options are wrong.
size_t whorl_device_list(const struct whorl_device_options *options, struct whorl_device_info *out_infos, size_t cap,
                         struct whorl_error *err);
enum whorl_status whorl_device_open(const struct whorl_device_options *options, whorl_device **out_device,
                                    struct whorl_error *err);
void whorl_device_destroy(whorl_device *device);
const struct whorl_device_info *whorl_device_get_info(const whorl_device *device);
const char *whorl_device_reason(const whorl_device *device); // one line: which device `auto` took and why

// ---- run ----------------------------------------------------------------------------------------------------------------------
enum whorl_strategy { WHORL_AUTO, WHORL_SINGLE, WHORL_STEPS, WHORL_EAGER, WHORL_CPU };
const char *whorl_strategy_name(enum whorl_strategy strategy); // "single"

struct whorl_progress {
    double fraction; // of all work, 0 to 1; 0 all the time where data decide how much there is
    uint64_t slice;  // finished slices
    double elapsed_s;
    // What went wrong since the last call without ending the run (a checkpoint that could not be written, a lost
    // device); NULL: nothing.
    const char *warning;
    uint64_t dispatches; // so far
};

struct whorl_run_options {
    size_t struct_size;
    enum whorl_strategy strategy;
    double slice_ms;           // time a dispatch may take; 0: the device's default, < 0: never slice
    uint64_t slice_iterations; // test hook: exactly this many iterations a slice; 0: calibrated
    uint64_t slice_ticks;      // test hook: exactly this many loop passes a slice; 0: calibrated
    uint32_t groups;           // workgroups of a grid kernel; 0: the device's own number
    uint32_t calls_per_submit; // whorl_session_run of several calls: how many share one submit; 0: as many as fit
    // After each slice, and now and then while one kernel or slice takes more than two seconds; false cancels. May be
    // NULL. Not of the CPU device.
    bool (*progress)(void *user, const struct whorl_progress *p);
    void *user;
    const struct whorl_scalar *scalars; // new values for uniform scalars
    size_t scalar_count;
    // Takes what the program prints: on a GPU when the run is done, in the order of the sequential program; NULL:
    // nobody does. It is called by one thread at a time.
    void (*print)(void *user, const char *text, size_t size_bytes);
    void *print_user;
    // Stop with WHORL_STOPPED at the end of the slice in which this time is over; 0: no limit. A slice that does not
    // end within a second more, and a kernel that is being made, are given up. On the CPU device the program then works
    // on copies of the arrays; a thread of its own goes on with them after it was given up.
    double max_s;
    // whorl_run on a GPU: the file that takes the state of the run when it is cancelled, stopped or loses its device,
    // so that another run can go on from there. It is replaced whole or not at all. NULL: none.
    const char *checkpoint;
    double checkpoint_every_s; // and so often on the way; 0: not
    const char
        *resume; // begin where the run that wrote this file was: same program, inputs and strategy; NULL: at the start
    // With the strategy eager, of whorl_run: looks at the arrays of floats after each dispatch. WHORL_SOURCE if an
    // element became NaN, or infinite; the message names the loop, the element and the step.
    bool find_nan;
};
#define WHORL_RUN_OPTIONS_INIT \
    { .struct_size = sizeof(struct whorl_run_options) }

struct whorl_stats {
    enum whorl_strategy strategy; // what ran in the end
    bool fell_back;               // single was asked for and steps ran
    char note[256];               // why, or ""
    // single gave other integers than its parts where is_exact says that it may not: a mistake of whorl, or a race of
    // the program. The results are those of its parts, the note names the element.
    bool disagreed;
    uint64_t dispatches; // counted by the one function that dispatches
    uint64_t submits;
    uint64_t slices;
    uint64_t bytes_uploaded, bytes_downloaded;
    double wall_ms;       // upload to download
    double execute_ms;    // first submit to last completion
    double pipeline_ms;   // making kernels; 0 when cached
    uint32_t losses;      // devices that were lost on the way and replaced
    uint32_t checkpoints; // files written
};

// A failed assert ends a run with WHORL_SOURCE; the message names its line and the iteration. arrays[i] is the memory
// of parameter i (NULL for scalars), size_bytes[i] its size, which must match exactly. In/out arrays are overwritten
// only if the run succeeds. A device that is lost on the way is opened again, and the run goes on from a copy of its
// state, or from the inputs; other sessions of that device end with WHORL_DEVICE. A kernel that is not made in the time
// of whorl_device_options.kernel_s is given up: where `auto` or `single` was asked for, the run goes on with `steps`,
// and under `auto` on the CPU in the end, unless the device was opened as "gpu" or by its number; the note of the stats
// says so. The driver cannot be stopped: its thread goes on, and what it works with is never freed. A process in which
// something was given up should end by _exit.
enum whorl_status whorl_run(whorl_device *device, const whorl_program *program, void *const *arrays,
                            const size_t *size_bytes, const struct whorl_run_options *options,
                            struct whorl_stats *out_stats, struct whorl_error *err);

// Looks for races between iterations of parallel loops that show with these inputs: two iterations write one element,
// or one reads what another writes, and the value changes. The program runs in an interpreter, on the CPU and slowly
// (some 10 million operations a second); the arrays take its results. That atomics of two iterations meet is no race, a
// plain access beside an atomic of another iteration is one. WHORL_SOURCE: the message has a line for each two places
// that race; and for an index outside of its array or a variable that is read before it is set, which the interpreter
// sees, too. WHORL_OK: the message says what was not looked for in this program (what `nowait` or `simd` alone opens),
// or is empty.
enum whorl_status whorl_find_races(const whorl_program *program, void *const *arrays, const size_t *size_bytes,
                                   uint64_t *out_iterations, struct whorl_error *err); // out_iterations may be NULL

// Where the time of `single` goes. Shaders have no clock: each loop is measured as a dispatch of its own, many in a
// row, less what an empty dispatch takes, on the data of half-way through the program; what is left of the whole is
// barriers and all else.
struct whorl_time { // a median with its 95% interval
    double ns, low_ns, high_ns;
};
struct whorl_phase {
    char origin[256]; // "heat.c:41"
    bool sequential;  // code between parallel loops
    uint64_t calls;
    struct whorl_time one; // of one call
};
enum { WHORL_PHASES = 64 };
struct whorl_profile {
    struct whorl_time whole; // one call of the program, waited for
    struct whorl_time wait;  // of which submitting nothing and waiting for it
    uint64_t dispatches, slices;
    uint32_t groups;   // workgroups, if it was one dispatch with barriers; else 0
    uint64_t barriers; // that each of them passed
    double barrier_ns; // what the probe says of one barrier between so many
    uint32_t phase_count;
    struct whorl_phase phases[WHORL_PHASES];
};
// The arrays are not changed. Needs a GPU. Of the options, which may be NULL, `groups` and `scalars` count.
enum whorl_status whorl_profile(whorl_device *device, const whorl_program *program, void *const *arrays,
                                const size_t *size_bytes, const struct whorl_run_options *options,
                                struct whorl_profile *out, struct whorl_error *err);

// What the strategy `auto` takes on this device. Without a measurement it is single, where there is one. A run of
// seconds under `auto` also measures on its way, and changes over only if that changes no bit of the results. What is
// measured is kept in the device's cache_dir, for this plan with its sizes on this device, driver and library.
struct whorl_choice {
    enum whorl_strategy strategy; // WHORL_SINGLE, WHORL_STEPS or, on the CPU device, WHORL_CPU
    uint32_t groups;              // workgroups of a dispatch with barriers; 0: the device's own number
    bool measured;
    char why[200]; // one line
};
// Of the options, which may be NULL, `scalars` count.
enum whorl_status whorl_auto(whorl_device *device, const whorl_program *program,
                             const struct whorl_run_options *options, struct whorl_choice *out,
                             struct whorl_error *err);

// Measures what `auto` can take and keeps the answer: single, its parts as dispatches (steps), and other numbers of
// workgroups. Calls from the same inputs in turn, after a warm-up; the one that is taken is the first of the list whose
// interval reaches down to that of the fastest. Takes some seconds; the arrays are not changed. count = 0: there is
// nothing to choose between.
struct whorl_candidate {
    enum whorl_strategy strategy;
    uint32_t groups;        // 0: the device's own number
    struct whorl_time time; // of one call, waited for; of a call of more than some seconds: by the part that was run
    bool same_bits;         // its outputs are those of the first candidate, bit by bit
};
enum { WHORL_CANDIDATES = 4 };
struct whorl_tuning {
    uint32_t count, chosen, samples;
    bool kept; // on disk; else it holds for this device object
    struct whorl_candidate candidates[WHORL_CANDIDATES];
    // "", or the element of an exact output (whorl_param.is_exact) in which candidates differ: a mistake of whorl, or a
    // race of the program. steps is chosen then, whatever the clock says.
    char disagreement[256];
};
// Of the options, which may be NULL, `progress` (called with fraction 0), `groups`, `slice_ms` and `scalars` count.
enum whorl_status whorl_tune(whorl_device *device, const whorl_program *program, void *const *arrays,
                             const size_t *size_bytes, const struct whorl_run_options *options,
                             struct whorl_tuning *out, struct whorl_error *err);

// A session keeps buffers and pipelines on the device between calls, for timing and for loops of the caller: nothing is
// allocated or compiled on the repeat path.
typedef struct whorl_session whorl_session;
enum whorl_status whorl_session_create(whorl_device *device, const whorl_program *program, enum whorl_strategy strategy,
                                       whorl_session **out_session, struct whorl_error *err);
enum whorl_status whorl_session_write(whorl_session *session, size_t param, const void *data, size_t size_bytes,
                                      struct whorl_error *err);
enum whorl_status whorl_session_read(whorl_session *session, size_t param, void *data, size_t size_bytes,
                                     struct whorl_error *err);
// Runs once on what the device's buffers hold. `calls` > 1 queues that many runs before it waits (each unsliced), in as
// few submits as options->calls_per_submit allows.
enum whorl_status whorl_session_run(whorl_session *session, uint32_t calls, const struct whorl_run_options *options,
                                    struct whorl_stats *out_stats, struct whorl_error *err);
void whorl_session_destroy(whorl_session *session);

#ifdef __cplusplus
}
#endif
#endif
