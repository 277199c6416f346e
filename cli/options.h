// The command line as one table, options.def: it drives parsing, help, the man page and the shell's completion, so that
// they cannot disagree.
#ifndef WHORL_CLI_OPTIONS_H
#define WHORL_CLI_OPTIONS_H

#include "terminal.h"

enum cli_command {
    CLI_RUN,
    CLI_PROFILE,
    CLI_SHOW,
    CLI_EXPLAIN,
    CLI_DEVICES,
    CLI_PROBE,
    CLI_PICK,
    CLI_PLOT,
    CLI_BENCH,
    CLI_GENERATE,
    CLI_SERVE,
    CLI_PERPLEXITY,
    CLI_CHECK_MODEL,
    CLI_BENCH_DECODE,
    CLI_CC,
    CLI_HELP,
    CLI_COMMANDS
};

struct cli_list {
    const char **items;
    size_t count, cap;
};

// Everything the command line can say. What it does not say is zero.
struct cli_options {
    struct cli_list files; // FILE... in order
    struct cli_list inputs, outputs, defines, include_dirs, uniforms;
    enum whorl_strategy strategy;
    const char *device; // NULL: auto
    double slice_ms;    // as in whorl_run_options
    const char *checkpoint, *resume;
    double checkpoint_every; // minutes; 0: the default
    double max_time;         // seconds; 0: no limit
    double kernel_time;      // seconds; 0: the default
    uint64_t slice_iterations, slice_ticks, register_budget, workgroup_size, workgroup_bytes, lanes, subgroup, groups;
    const char *json, *probe, *pass_off;
    bool check, compare, test, quiet, verbose, double_as_float, double_as_pair, int64_as_int32, keep_order, fast_math,
        coherent, float_atomics, portable, help, math, fresh, find_nan, race, tune;
    bool show_wgsl, show_plan, show_c, show_ir;
    const char *show_after;
    const char *rows, *labels, *title;            // of plot and pick
    const char *only, *without, *sizes, *results; // of bench
    bool report, quick;
    uint64_t height;
    const char *prompt_file, *system; // of generate
    bool chat;
    const char *host, *api_key, *name; // of serve
    bool site;
    uint64_t port, texts;
    uint64_t new_tokens, context, top_k, seed;
    double temperature, top_p, min_p, penalty;
    uint64_t stride;      // of perplexity
    const char *quantize; // of what runs a language model
    const char *lengths;  // of bench decode
    struct cli_list steer, capture, ablate;
};

enum cli_kind {
    CLI_KIND_FLAG,     // bool
    CLI_KIND_TEXT,     // const char *
    CLI_KIND_LIST,     // struct cli_list
    CLI_KIND_COUNT,    // uint64_t, at least 1
    CLI_KIND_NUMBER,   // double
    CLI_KIND_STRATEGY, // enum whorl_strategy
};

struct cli_option {
    const char *name;  // "--strategy", "-i", "-fdouble=float"
    const char *other; // a second spelling, or NULL
    enum cli_kind kind;
    size_t offset;     // in struct cli_options
    const char *value; // what stands for the value in help; NULL for flags
    uint32_t commands; // bit set of enum cli_command
    bool in_directive; // may stand in `// run:` and `// test:` lines
    bool is_hook;      // for tests and for work on the compiler: listed last
};

struct cli_command_text {
    const char *arguments, *summary;
    const char *more; // lines of help below the options, or NULL
};

extern const struct cli_option cli_option_table[];
extern const size_t cli_option_count;
extern const char *const cli_command_names[CLI_COMMANDS];
// The command that words[0..count) begin with, and how many of them name it; CLI_COMMANDS: none.
enum cli_command cli_command_find(int count, char **words, int *out_used);

// Reads args[0..count) of `command` into `options`, which keeps pointers into them. False, with the message printed, on
// a mistake: the exit code is then CLI_USAGE.
bool cli_options_parse(enum cli_command command, int count, char **args, struct cli_options *options);
void cli_options_deinit(struct cli_options *options);

// The option spelled so, or NULL; *out_value is the text glued to it ("-DX", "--json=x"), or NULL.
const struct cli_option *cli_option_find(uint32_t commands, const char *arg, const char **out_value);
// Applies one option to `options`; NULL, or what is wrong with the value.
const char *cli_option_apply(const struct cli_option *option, const char *value, struct cli_options *options);

void cli_list_add(struct cli_list *list, const char *item);
void cli_list_deinit(struct cli_list *list);

// usage.c
extern const struct cli_command_text cli_command_table[CLI_COMMANDS];
void cli_usage(FILE *out, enum cli_command command); // CLI_COMMANDS: the overview
void cli_man(FILE *out);
void cli_completion(FILE *out);

#endif
