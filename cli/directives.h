// What a program file says about itself in its leading comment:
//
//   // entry: FUNCTION              the function to run when the command line names none
//   // run: -i n=4096 -i x=normal   defaults of the command line (-i, -D, --uniform, -fdouble=float, -fint64=int32)
//   // test: -i n=64 ...            smaller ones, taken instead by --test
//   // check: [ARRAY] RULE          what equal means, see check.h; several lines may stand
//   // dispatches: 1, eager 15*steps+2    dispatches of an unsliced run, by strategy; no name: single. Sums of
//                                   products of numbers and integer scalars
//   // step: gens=1, first=first+gens    scalars of the step after this run, from those of the run: what `teacher`
//                                   rules compare
//   // barriers: 2 a step           barriers across the grid
//   // error: 12:5: TEXT            the file is wrong: a diagnostic at this line and column contains TEXT
//
// Only the comment lines before the first line of C count, so that prose in the code is never taken for a directive; a
// comment in stars may stand there, too, as of a licence.
// There, a line beside a directive that looks like one and is none of these is an error.
#ifndef WHORL_CLI_DIRECTIVES_H
#define WHORL_CLI_DIRECTIVES_H

#include "options.h"
#include "verdict.h"

enum { DIRECTIVES_MAX = 64 };

struct directive_error {
    uint32_t line, col;
    const char *text;
};

struct directives {
    char *text;   // owns all strings below
    char *source; // what the file says, where it can be read only once, as a pipe; else NULL
    const char *path;
    const char *entry;
    bool has_run, has_test;
    struct cli_options run, test; // only their inputs, defines, uniforms and -f flags are set
    struct check_rule checks[DIRECTIVES_MAX];
    size_t check_count;
    struct check_rule step_checks[DIRECTIVES_MAX]; // those that end with `teacher`
    size_t step_check_count;
    const char *step; // NULL: not said
    uint32_t step_line;
    const char *dispatches; // NULL: not said
    uint32_t dispatches_line;
    const char *barriers;
    struct directive_error errors[DIRECTIVES_MAX];
    size_t error_count;
};

// Of the file's text. Fails with WHORL_SOURCE, naming file and line.
enum whorl_status directives_parse(const char *path, const char *text, struct directives *out, struct whorl_error *err);
// WHORL_IO where the file cannot be read.
enum whorl_status directives_read(const char *path, struct directives *out, struct whorl_error *err);
void directives_deinit(struct directives *d);

// The number of dispatches that the file promises for the strategy. *out_known is false where it says nothing.
enum whorl_status directives_dispatches(const struct directives *d, enum whorl_strategy strategy,
                                        const struct whorl_scalar *scalars, size_t scalar_count, bool *out_known,
                                        uint64_t *out_count, struct whorl_error *err);

enum { DIRECTIVES_STEP_SCALARS = 8 };
struct directive_step {
    char name[64];
    double value;
    bool is_number; // the same in every step
};
// The scalars of the step after a run with these; their number in *out_count.
enum whorl_status directives_step(const struct directives *d, const struct whorl_scalar *scalars, size_t scalar_count,
                                  struct directive_step out[DIRECTIVES_STEP_SCALARS], size_t *out_count,
                                  struct whorl_error *err);

#endif
