// whorl.h - compile a C program with OpenMP loops to one WebGPU kernel, and run it.
//
// The whole public interface, in the order of use: version, status, compile, plan, device, run, stats. docs/c-api.md
// begins with a complete program.
//   - A *program* is C text compiled for fixed values of its integer scalars. It holds the plan (kernels and
//     dispatches) and the C text for the CPU.
//   - A *device* is a GPU behind a WebGPU library, or the CPU behind a C compiler.
//   - A *run* executes the program on the device, on the caller's arrays.
// Ownership: the caller frees what a `_create`, `_compile`, `_inspect`, `_read` or `_open` call returns, with the
// matching `_destroy`. Returned strings and structs belong to the object that they came from, and live as long as it.
// Options: every struct of options starts as its INIT macro; another struct_size is WHORL_INVALID.
// NULL: `err`, options and `out_stats` may be NULL. Any other NULL is WHORL_INVALID unless its comment allows it;
// functions without a status return 0, NULL or "".
// Threads: one thread at a time uses an object; different threads may use different objects at once.
// Errors: a status, and a filled `struct whorl_error` if one was given. Nothing here prints, exits or aborts.
#ifndef WHORL_H
#define WHORL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- version --------------------------------------------------------------------------------------------------------
#define WHORL_VERSION_MAJOR 0
#define WHORL_VERSION_MINOR 1
#define WHORL_VERSION_PATCH 0
const char *whorl_version(void); // "0.1.0"

// ---- status ---------------------------------------------------------------------------------------------------------
// Numbers are fixed for ever.
enum whorl_status {
    WHORL_OK = 0,
    WHORL_INVALID = 1,     // a call's arguments: NULL, options that were not initialised, a name twice, a wrong size
    WHORL_SOURCE = 2,      // the C program is wrong, or does not fit its scalars' values; or an assert failed in a run
    WHORL_UNSUPPORTED = 3, // correct C that whorl does not support (the message says what to write instead)
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

// Filled when a call fails. `message` may hold several lines: compiler diagnostics with carets.
struct whorl_error {
    enum whorl_status status;
    char stage[16];     // "call", "compile", "plan", "device", "run", "cpu", "data"
    char file[256];     // source file of the first diagnostic, or ""
    uint32_t line, col; // of the first diagnostic, from 1; 0: none
    char message[8192];
};

// ---- compile --------------------------------------------------------------------------------------------------------
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

// What the compiler may assume of the device that it compiles for. A field of 0 stands for what every device offers.
// whorl_device_info.target holds the values of a device of this machine. A program compiled for one device may be
// refused by another (WHORL_LIMIT).
struct whorl_target {
    uint32_t register_words; // 32-bit values that an invocation may keep in registers; 0: 64
    // How many keep the device busy; with fewer iterations, one takes several lanes. 0: 32768.
    uint32_t busy_invocations;
    uint32_t subgroup_lanes;  // neighbours that can exchange values; 0: no kernel uses subgroup functions
    uint32_t workgroup_bytes; // memory that the invocations of a workgroup may share; 0: 16384
    uint32_t storage_buffers; // storage buffers that a kernel may bind; 0: 8
    uint64_t binding_bytes;   // most bytes of one binding; 0: 128 MiB
    bool coherent_memory;     // vectors that workgroups share need not be atomic words
    bool cpu_only;            // only the CPU will run it: limits of a GPU's memory are no errors
    bool float_atomics;       // it adds to floats in memory by an atomic instruction of its own
};

struct whorl_compile_options {
    size_t struct_size;
    const char *entry;                  // the function to run; NULL: the only one with a parallel loop
    const struct whorl_scalar *scalars; // a value for every scalar parameter of the entry
    size_t scalar_count;
    const struct whorl_shape *shapes; // a size for every array parameter whose type has none (float *x)
    size_t shape_count;
    const char *const *uniform; // names of integer scalars whose value may change from run to run
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
    // -fno-associative-math: what a loop adds up in a float is added in the order of C. Else lanes may share the loop
    // and add partial sums, in an order that depends on the program and the target alone (docs/language.md).
    bool keep_order;
    // Array parameters that this program has, too, of the same name, get its places in buffers, so that
    // whorl_session_create_beside can share them. One of another type or size is WHORL_UNSUPPORTED. NULL: none.
    const whorl_program *beside;
    bool double_as_pair; // -fdouble=pair: a double is the sum of two floats, about 48 bits (docs/double.md)
};
#define WHORL_COMPILE_OPTIONS_INIT \
    { .struct_size = sizeof(struct whorl_compile_options) }

// Compiles the file `path`. If `text` is not NULL it is compiled instead, and `path` is its name in messages. Nothing
// that was passed in is kept. *out_program is NULL on failure; else whorl_program_destroy frees it.
// Errors: WHORL_SOURCE and WHORL_UNSUPPORTED (diagnostics in `err`), WHORL_LIMIT and WHORL_MEMORY (too large),
// WHORL_IO (the file), WHORL_INVALID (the options).
enum whorl_status whorl_compile(const char *path, const char *text, const struct whorl_compile_options *options,
                                whorl_program **out_program, struct whorl_error *err);
void whorl_program_destroy(whorl_program *program); // NULL is fine; its sessions must be destroyed before

enum whorl_text {
    WHORL_TEXT_WARNINGS, // diagnostics of a compile that succeeded ("" if none)
    WHORL_TEXT_IR,       // the intermediate form after options.show_after, or after the last pass
    WHORL_TEXT_WGSL,     // all kernels
    WHORL_TEXT_C,        // the program as the CPU runs it: preprocessed, double policy applied
    WHORL_TEXT_EXPLAIN,  // what was fused, moved, kept in registers, and why not
    WHORL_TEXT_PLAN,     // the plan as JSON
    WHORL_TEXT_COMMENTS, // the leading comment lines of the source file that start with a directive ("// run: ...")
};
// "" where the program has no such text. The string belongs to the program.
const char *whorl_program_text(const whorl_program *program, enum whorl_text what);

// ---- plan -----------------------------------------------------------------------------------------------------------
// Reads a plan written by WHORL_TEXT_PLAN: `size_bytes` bytes of JSON, which need not end with 0. It is validated: a
// damaged or hostile plan is WHORL_INVALID. Such a program has no C text, so it cannot run on the CPU device.
enum whorl_status whorl_plan_read(const char *json, size_t size_bytes, whorl_program **out_program,
                                  struct whorl_error *err);

// The entry function's parameters, in order.
enum whorl_dtype {
    WHORL_F32,
    WHORL_F16,
    WHORL_I32,
    WHORL_U32,
    WHORL_I16,
    WHORL_U16,
    WHORL_I8,
    WHORL_U8,
    WHORL_BOOL,
    WHORL_F64,
    WHORL_I64, // of parameters; of scalars only where a value does not fit in 32 bits
    WHORL_U64
};
struct whorl_param {
    const char *name;
    enum whorl_dtype dtype;
    bool is_array;
    bool is_output;   // an array that is not const
    uint32_t ndims;   // arrays: number of dimensions
    uint64_t dims[8]; // arrays: elements in each, in C order; the 32-bit words of a struct are the last dimension
    double value;     // scalars: the value given at compile time
    bool is_uniform;  // scalars: may change from run to run
    // An array of structs whose fields are not all of one type has dtype WHORL_U32; then this is the type of each
    // 32-bit word of one struct, dims[ndims - 1] of them. A double is two words, both WHORL_F64. NULL for every other
    // parameter, and in a program that was read from a plan.
    const enum whorl_dtype *words;
    // An output of integers that depend neither on floats nor on the order of atomics: every strategy gives the same
    // bits.
    bool is_exact;
    // Beside `words`: the field of each word, "pos.x"; "" for padding and for the second word of a double.
    const char *const *word_names;
    // Of whorl_inspect: each size as it is declared, in terms of the scalar parameters: "64", "n", "((2 * n) + 1)" with
    // + - * / % << >> of C's integers; "" where none is declared, or another form. NULL for a compiled program.
    const char *const *dim_texts;
};
size_t whorl_program_param_count(const whorl_program *program);
// Parameter `index`, from 0, in the order of the entry's declaration; NULL beyond the last.
const struct whorl_param *whorl_program_param(const whorl_program *program, size_t index);
size_t whorl_dtype_size(enum whorl_dtype dtype);      // bytes of an element
const char *whorl_dtype_name(enum whorl_dtype dtype); // "f32"
// Barriers across the grid that `single` needs in one step of its innermost loop around parallel loops; 0: none.
uint32_t whorl_program_barriers(const whorl_program *program);
// What one run computes and moves, counted in the C text, for rooflines. Subscripts, comparisons and copies are free.
struct whorl_work {
    double float_ops, functions, integer_ops; // `functions`: calls of math.h
    double bytes; // of each array that a parallel loop of `single` reads or writes, once a loop
    // False: loops or branches depend on data. Then an unknown loop counts as one pass, and the longer of two branches
    // counts.
    bool is_exact;
};
// Returns false where this is not known: for a program that was read from a plan.
bool whorl_program_work(const whorl_program *program, struct whorl_work *out_work);
// Bytes of all buffers that a session on a GPU creates for the program, with the scalars that it was compiled for: the
// parameters' arrays, arrays of the entry, and local arrays that are too large for an iteration. 0: not known.
double whorl_program_buffer_bytes(const whorl_program *program);

// The entry's parameters before any values are known, for programs whose users choose the inputs: names, types, and
// which need sizes. Like whorl_compile, but it reads only as far as the entry's declaration. Scalars and shapes of the
// options are ignored; dims that depend on scalars are 0. WHORL_TEXT_COMMENTS is there. The result cannot be run;
// whorl_program_destroy frees it.
enum whorl_status whorl_inspect(const char *path, const char *text, const struct whorl_compile_options *options,
                                whorl_program **out_program, struct whorl_error *err);

// ---- device ---------------------------------------------------------------------------------------------------------
typedef struct whorl_device whorl_device;

// How exactly a device computes one of WGSL's own functions, over the arguments where it is mostly used.
struct whorl_builtin {
    const char *name; // "tanh", "x / y"
    double worst_ulp; // largest error in units in the last place, against libm in double; 2^24: no digit is right
    uint32_t wrong;   // results that are NaN or infinite and should be numbers; not counted in worst_ulp
};
enum { WHORL_BUILTINS = 25 };

// What a barrier between `groups` workgroups costs.
struct whorl_grid_size {
    uint32_t groups;
    double barrier_ns;
};
enum { WHORL_GRID_SIZES = 4 };

// Whether workgroups of 256 invocations can meet at barriers inside one dispatch (docs/memory-model.md).
struct whorl_grid {
    bool ok;              // the self-test passed; else programs with barriers use one workgroup, or dispatches
    bool fences_needed;   // each barrier needs a storageBarrier
    uint32_t groups;      // workgroups that whorl uses; 0: not measured
    uint32_t groups_max;  // workgroups that are resident at once
    uint32_t tested;      // barriers of the self-test
    double barrier_ns;    // cost of a barrier between `groups` workgroups
    double spins_per_ms;  // passes of a barrier's waiting loop
    uint64_t messages;    // messages of the litmus test, through atomics
    uint64_t stale;       // of these: the flag was seen and the data was old
    uint64_t plain_stale; // the same with plain loads and stores, which whorl does not use for messages
    uint32_t size_count;
    struct whorl_grid_size sizes[WHORL_GRID_SIZES];
    char note[160]; // why `ok` is false; else ""
};

struct whorl_device_info {
    char name[128];    // adapter description or CPU compiler
    char library[128]; // "wgpu-native 29.0.1.1 (path)", "cc (gcc 12.2.0)"
    char driver[128];
    char backend[32]; // "vulkan", "metal", "d3d12", "cpu"
    bool is_cpu;      // the cc device, not a software GPU
    bool is_software; // a GPU adapter that runs on the CPU
    bool has_f16, has_subgroups, has_timestamps;
    uint32_t max_invocations;     // of a workgroup
    uint32_t max_storage_buffers; // of a kernel
    uint32_t max_groups;          // workgroups of a dispatch, in each dimension
    uint32_t workgroup_bytes;     // memory that the invocations of a workgroup may share
    uint64_t max_binding_bytes, max_buffer_bytes;
    // Measured by the first probe; 0 where it has not run.
    uint32_t loop_cap; // passes after which the driver silently ends an invocation's loops; 0: none found
    uint32_t subgroup_size;
    struct whorl_target target; // for whorl_compile_options.target
    double dispatch_us;         // a dispatch, of many in one submit that follow each other through what they write
    double submit_us;           // a submit, of many in a row
    double wait_us;             // a submit of one short dispatch, waited for
    double read_gbps;           // 10^9 bytes a second: a buffer read once, submit and wait included
    double copy_gbps;           // copies of a large buffer one after another, bytes read and written
    double ops_per_s;           // simple integer operations, all lanes busy
    double latency_ns;          // from asking memory for a word to having it, nothing else under way
    struct whorl_grid grid;
    uint32_t builtin_count; // WHORL_BUILTINS, or 0
    struct whorl_builtin builtins[WHORL_BUILTINS];
};

struct whorl_device_options {
    size_t struct_size;
    const char *select;    // "auto", "cpu", "gpu", or an index of whorl_device_list; NULL: auto
    const char *library;   // path of a WebGPU library; NULL: WHORL_WEBGPU, then the installed one
    const char *cache_dir; // where measurements and compiled CPU programs are kept; NULL: $XDG_CACHE_HOME/whorl
    const char *cc;        // C compiler of the CPU device; NULL: $CC or cc
    bool no_probe;         // do not measure; take what was kept, if anything
    bool fresh_probe;      // measure again, and forget what `auto` was found to take
    double kernel_s;       // seconds that the driver may take to make one kernel; 0: 60; < 0: no limit. See whorl_run
    // Receives warnings (a damaged file of the cache), on the calling thread; NULL: nobody does.
    void (*warning)(void *user, const char *text);
    void *warning_user;
};
#define WHORL_DEVICE_OPTIONS_INIT \
    { .struct_size = sizeof(struct whorl_device_options) }

// Fills up to `cap` entries of out_infos and returns how many devices there are. The CPU device is the last. Without a
// WebGPU library there is only the CPU, and `err` says why. Returns 0 if the options are wrong. Opens and measures
// nothing.
size_t whorl_device_list(const struct whorl_device_options *options, struct whorl_device_info *out_infos, size_t cap,
                         struct whorl_error *err);
// Opens a device; "auto" takes the first hardware GPU, else the CPU through a C compiler, else a GPU in software. The
// first use of a GPU measures it for some seconds and keeps the result in cache_dir. *out_device is NULL on failure;
// else whorl_device_destroy frees it. WHORL_DEVICE: there is no such device, or no library or compiler for it.
enum whorl_status whorl_device_open(const struct whorl_device_options *options, whorl_device **out_device,
                                    struct whorl_error *err);
void whorl_device_destroy(whorl_device *device); // NULL is fine; its sessions must be destroyed before
// Both belong to the device. The reason is one line: which device was taken and why.
const struct whorl_device_info *whorl_device_get_info(const whorl_device *device);
const char *whorl_device_reason(const whorl_device *device);

// ---- run ------------------------------------------------------------------------------------------------------------
// What one dispatch does. single: the whole program. steps: one or more parallel loops, fused where that is allowed.
// eager: one parallel loop as written, waited for. cpu: no dispatch, the C compiler's code. auto: see whorl_auto.
enum whorl_strategy { WHORL_AUTO, WHORL_SINGLE, WHORL_STEPS, WHORL_EAGER, WHORL_CPU };
const char *whorl_strategy_name(enum whorl_strategy strategy); // "single"

struct whorl_progress {
    double fraction; // part of the work that is done, 0 to 1; always 0 where data decide how much work there is
    uint64_t slice;  // finished slices
    double elapsed_s;
    // What went wrong since the last call without ending the run: a checkpoint that could not be written, a lost
    // device. NULL: nothing.
    const char *warning;
    uint64_t dispatches; // so far
    const char *doing;   // "making kernel f_0 (heat.c:21)" while a driver does that; NULL: slices run
};

struct whorl_run_options {
    size_t struct_size;
    enum whorl_strategy strategy;
    double slice_ms;           // milliseconds that a dispatch may take; 0: 1000, < 0: never slice
    uint64_t slice_iterations; // test hook: exactly this many iterations a slice; 0: calibrated
    uint64_t slice_ticks;      // test hook: exactly this many loop passes a slice; 0: calibrated
    uint32_t groups;           // workgroups of a dispatch with barriers; 0: the device's own number
    uint32_t calls_per_submit; // whorl_session_run of several calls: how many share one submit; 0: as many as fit
    // Called after each slice, and every tenth of a second while one kernel or slice takes more than two seconds.
    // Returning false cancels the run. May be NULL. On the CPU device it is called every tenth of a second, with
    // fraction 0, by whorl_session_run, and by whorl_run if max_s is set; then false gives the call up as max_s does.
    bool (*progress)(void *user, const struct whorl_progress *p);
    void *user;
    const struct whorl_scalar *scalars; // new values for uniform scalars
    size_t scalar_count;
    // Receives what the program prints (size_bytes bytes, no final 0): on a GPU when the run is done, in the order of
    // the sequential program. Called by one thread at a time. NULL: nobody does.
    void (*print)(void *user, const char *text, size_t size_bytes);
    void *print_user;
    // Seconds after which the run stops with WHORL_STOPPED, at the end of a slice; 0: no limit. A slice or a driver
    // making a kernel that does not end within a second more is given up. On the CPU device the call returns at that
    // time; the program works on copies of the arrays, with which its thread goes on.
    double max_s;
    // For whorl_run on a GPU: path of the file that receives the state of the run when it is cancelled or stopped, or
    // loses its device for good. The file is replaced whole or not at all. NULL: none.
    const char *checkpoint;
    double checkpoint_every_s; // seconds between two writes on the way; 0: none
    // Path of a checkpoint to go on from, by the same program, inputs and strategy. NULL: begin at the start.
    const char *resume;
    // For whorl_run with the strategy eager: looks at the arrays of floats after each dispatch. WHORL_SOURCE if an
    // element became NaN or infinite; the message names the loop, the element and the step.
    bool find_nan;
    // With the strategy eager: dispatches are not waited for one by one, as many share a submit as fit. For
    // measurements of what fusion alone is worth.
    bool one_submit;
    // A kernel that is not made within kernel_s is WHORL_TIMEOUT whatever the strategy. Then `note` of the stats says
    // so, and `strategy` what would be next, AUTO: nothing. For callers that can begin anew in another process: some
    // drivers make one kernel at a time, so that in this one no other is made.
    bool no_fallback;
};
#define WHORL_RUN_OPTIONS_INIT \
    { .struct_size = sizeof(struct whorl_run_options) }

struct whorl_stats {
    enum whorl_strategy strategy; // what ran in the end
    bool fell_back;               // single was asked for and steps ran
    char note[256];               // why, or ""
    uint64_t dispatches;
    uint64_t submits;
    uint64_t slices;
    uint64_t bytes_uploaded, bytes_downloaded;
    double wall_ms;       // upload to download
    double execute_ms;    // first submit to last completion
    double pipeline_ms;   // making kernels; 0 when cached
    uint32_t losses;      // devices that were lost on the way and replaced
    uint32_t checkpoints; // files written
};

// Runs the program once and waits for it. arrays[i] is the memory of parameter i (NULL for scalars), size_bytes[i] its
// size, which must match exactly. Arrays that are not const are read, and overwritten only if the run succeeds.
//   - WHORL_SOURCE: an assert failed; the message names its line and the iteration.
//   - WHORL_LIMIT: the program needs more than this device has.
//   - WHORL_INVALID: sizes, scalars or a checkpoint do not fit the program.
//   - WHORL_CANCELLED, WHORL_STOPPED: see `progress` and `max_s` of the options. WHORL_IO: a checkpoint failed.
//   - A device that is lost is opened again, and the run goes on from a copy of its state, or from the inputs. Other
//     sessions of that device end with WHORL_DEVICE. The third loss in one run is WHORL_DEVICE.
//   - A kernel that is not made within whorl_device_options.kernel_s is WHORL_TIMEOUT, unless `auto` or `single` was
//     asked for: then the run goes on with `steps`, and under `auto` with the CPU in the end, if the device was opened
//     as "auto"; each has a kernel_s of its own. The note of the stats says so. The driver's thread cannot be stopped:
//     it goes on, and its memory is never freed. A process in which something was given up should end by _exit.
enum whorl_status whorl_run(whorl_device *device, const whorl_program *program, void *const *arrays,
                            const size_t *size_bytes, const struct whorl_run_options *options,
                            struct whorl_stats *out_stats, struct whorl_error *err);

// Looks for races that happen with these inputs: two threads write one element or shared variable, be it the same
// value, or one reads what another writes, and no barrier stands between. Threads are iterations of parallel loops,
// those of a region, and passes of a `simd` loop. Two atomics are no race, nor is what one `critical` guards; a plain
// access beside an atomic of another thread is one. The program runs in an interpreter on the CPU, slowly (some 10
// million operations a second). `arrays` and `size_bytes` are as in whorl_run; the arrays receive the results. A
// program that was read from a plan is WHORL_INVALID.
//   - WHORL_SOURCE: the message has a line for each two places that race. An index outside of its array, and a variable
//     that is read before it is set, are also found.
//   - WHORL_OK: none was found.
enum whorl_status whorl_find_races(const whorl_program *program, void *const *arrays, const size_t *size_bytes,
                                   uint64_t *out_iterations, struct whorl_error *err); // out_iterations may be NULL

// Where the time of `single` goes. Shaders have no clock. So each loop is measured as a dispatch of its own, many in a
// row, less an empty dispatch, on the data of half-way through the program. What is left of the whole is barriers and
// everything else.
struct whorl_time { // a median with its 95% interval
    double ns, low_ns, high_ns;
};
struct whorl_phase {
    char origin[256];      // "heat.c:41"
    bool sequential;       // code between parallel loops
    uint64_t calls;        // in one run of the program
    struct whorl_time one; // one call
};
enum { WHORL_PHASES = 64 };
struct whorl_profile {
    struct whorl_time whole; // one call of the program, waited for
    struct whorl_time wait;  // part of it: an empty submit, waited for
    uint64_t dispatches, slices;
    uint32_t groups;   // workgroups, if it was one dispatch with barriers; else 0
    uint64_t barriers; // barriers that each workgroup passed
    double barrier_ns; // cost of one, as the probe measured it
    uint32_t phase_count;
    struct whorl_phase phases[WHORL_PHASES];
};
// `arrays` and `size_bytes` are as in whorl_run; the arrays are not changed. Of the options, `groups` and `scalars`
// count. The CPU device is WHORL_INVALID.
enum whorl_status whorl_profile(whorl_device *device, const whorl_program *program, void *const *arrays,
                                const size_t *size_bytes, const struct whorl_run_options *options,
                                struct whorl_profile *out, struct whorl_error *err);

// What the strategy `auto` takes on this device. Without a measurement it is predicted: single, where there is one, or
// steps, where single would load much of shared arrays again, or wait for them often. What whorl_tune measures is kept
// in the device's cache_dir, for this plan with its sizes on this device, driver and library.
struct whorl_choice {
    enum whorl_strategy strategy; // WHORL_SINGLE, WHORL_STEPS or, on the CPU device, WHORL_CPU
    uint32_t groups;              // workgroups of a dispatch with barriers; 0: the device's own number
    bool measured;
    char why[200]; // one line
};
// Of the options, `scalars` count.
enum whorl_status whorl_auto(whorl_device *device, const whorl_program *program,
                             const struct whorl_run_options *options, struct whorl_choice *out,
                             struct whorl_error *err);

// What whorl_auto says where nothing was measured, on a device that need not be here: of `info`, is_cpu and is_software
// count. The program should be compiled for its target.
enum whorl_status whorl_predict(const struct whorl_device_info *info, const whorl_program *program,
                                struct whorl_choice *out, struct whorl_error *err);

// Measures what `auto` can take, and keeps the answer: single, steps, and single with other numbers of workgroups.
// After a warm-up the candidates are called in turn, from the same inputs. The one that is taken is the first of the
// list whose interval reaches down to that of the fastest. It takes some seconds. `arrays` and `size_bytes` are as in
// whorl_run; the arrays are not changed. count = 0: there is nothing to choose between.
struct whorl_candidate {
    enum whorl_strategy strategy;
    uint32_t groups;        // 0: the device's own number
    struct whorl_time time; // of one call, waited for; a long call is stopped and judged by the part that was run
    bool same_bits;         // its outputs are those of the first candidate, bit by bit
};
enum { WHORL_CANDIDATES = 4 };
struct whorl_tuning {
    uint32_t count, chosen, samples;
    bool kept; // on disk; else the choice holds for this device object only
    struct whorl_candidate candidates[WHORL_CANDIDATES];
    // "", or the element of an exact output (whorl_param.is_exact) in which candidates differ: a bug in whorl, or a
    // race in the program. Then steps is chosen, whatever the times are.
    char disagreement[256];
};
// Of the options, `progress` (called with fraction 0), `groups`, `slice_ms` and `scalars` count.
enum whorl_status whorl_tune(whorl_device *device, const whorl_program *program, void *const *arrays,
                             const size_t *size_bytes, const struct whorl_run_options *options,
                             struct whorl_tuning *out, struct whorl_error *err);

// A session keeps a program's buffers and kernels on the device between calls: for timing, and for loops of the caller.
// whorl_session_run allocates and compiles nothing.
typedef struct whorl_session whorl_session;
// *out_session is NULL on failure; else whorl_session_destroy frees it, before its device and its program are
// destroyed.
enum whorl_status whorl_session_create(whorl_device *device, const whorl_program *program, enum whorl_strategy strategy,
                                       whorl_session **out_session, struct whorl_error *err);
// The same, and arrays that are parameters of both programs, by their names, are one: what a run of either session
// writes, the other's runs read. The program was compiled with `beside`, that of `other`. `other` must outlive the
// session; one of them runs at a time. A run with max_s on the CPU device is WHORL_INVALID. WHORL_INVALID here: arrays
// of one name have other types, sizes or places, or the sessions are of different devices.
enum whorl_status whorl_session_create_beside(whorl_device *device, const whorl_program *program,
                                              enum whorl_strategy strategy, whorl_session *other,
                                              whorl_session **out_session, struct whorl_error *err);
// Copy an array parameter to the device and back. `param` is its number, from 0; size_bytes must match exactly. Arrays
// start as zeros, and those that are not const keep what the last run left in them.
enum whorl_status whorl_session_write(whorl_session *session, size_t param, const void *data, size_t size_bytes,
                                      struct whorl_error *err);
enum whorl_status whorl_session_read(whorl_session *session, size_t param, void *data, size_t size_bytes,
                                     struct whorl_error *err);
// The same for size_bytes of the array from offset_bytes on. Both are multiples of 4, of doubles of 8. WHORL_INVALID:
// the part leaves the array, or its elements are smaller than 4 bytes.
enum whorl_status whorl_session_write_part(whorl_session *session, size_t param, size_t offset_bytes, const void *data,
                                           size_t size_bytes, struct whorl_error *err);
enum whorl_status whorl_session_read_part(whorl_session *session, size_t param, size_t offset_bytes, void *data,
                                          size_t size_bytes, struct whorl_error *err);
// Copies an array of one session into an array of another on the device, without a way over the host: `to` receives
// what `from` holds. Both are of one device. WHORL_INVALID: they are one session, or the arrays have other types or
// sizes.
enum whorl_status whorl_session_copy(whorl_session *to, size_t to_param, whorl_session *from, size_t from_param,
                                     struct whorl_error *err);
// Exchanges what two arrays hold, of one session or of two, without moving it. WHORL_INVALID: the arrays have other
// types or sizes, or are of two devices. WHORL_UNSUPPORTED: one of them has its memory together with other arrays, or
// shares it with another session (whorl_session_create_beside); nothing has changed then.
enum whorl_status whorl_session_exchange(whorl_session *session, size_t param, whorl_session *other, size_t other_param,
                                         struct whorl_error *err);
// Runs on what the device's buffers hold, and waits. `calls` > 1 queues that many runs before it waits, each unsliced,
// in as few submits as options->calls_per_submit allows. New values of uniform scalars stay in the session; they may
// not change the size of an array. Checkpoints are WHORL_INVALID. WHORL_DEVICE: the device was lost, or a driver ended
// a loop early; what the arrays hold then is not known.
enum whorl_status whorl_session_run(whorl_session *session, uint32_t calls, const struct whorl_run_options *options,
                                    struct whorl_stats *out_stats, struct whorl_error *err);
void whorl_session_destroy(whorl_session *session); // NULL is fine

#ifdef __cplusplus
}
#endif
#endif
