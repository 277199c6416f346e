// `whorl explain`: what the compiler did with the program's loops, and what kept it from doing more.
#include <string.h>

#include "commands.h"

enum cli_exit cli_explain(const struct cli_options *options) {
    struct whorl_error err = {0};
    struct job job = {0};
    enum whorl_status status = job_compile(options, true, &job, &err);
    cli_warnings(&job);
    if (status == WHORL_OK) {
        const char *text = whorl_program_text(job.program, WHORL_TEXT_EXPLAIN);
        fputs(*text ? text : "nothing was changed\n", stdout);
        if (*text && text[strlen(text) - 1] != '\n') putchar('\n');
        if (!options->quiet)
            cli_hint("`whorl show %s --after=PASS` and `--wgsl` print the program itself", options->files.items[0]);
    }
    err.status = status;
    enum cli_exit code = status == WHORL_OK ? CLI_OK : cli_report(&err);
    job_deinit(&job);
    return code;
}
