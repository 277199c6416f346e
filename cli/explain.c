// `whorl explain`: what the compiler did with the program's loops, and what kept it from doing more.
#include <string.h>

#include "commands.h"
#include "tuning.h"

// What a device runs is compiled for it.
static enum whorl_status say_choice(const struct cli_options *options, struct job *job, struct whorl_error *err) {
    whorl_device *device = NULL;
    enum whorl_status status = cli_open_device(options, &device, err);
    if (status == WHORL_OK) status = job_retarget(job, false, device, err);
    if (status == WHORL_OK) {
        printf("on %s:\n", whorl_device_get_info(device)->name);
        cli_say_choice(stdout, job, device);
    }
    whorl_device_destroy(device);
    return status;
}

enum cli_exit cli_explain(const struct cli_options *options) {
    struct whorl_error err = {0};
    struct job job = {0};
    enum whorl_status status = job_compile(options, true, &job, &err);
    cli_warnings(&job);
    if (status == WHORL_OK) {
        const char *text = whorl_program_text(job.program, WHORL_TEXT_EXPLAIN);
        cli_print(stdout, *text ? text : "nothing was changed\n");
        if (*text && text[strlen(text) - 1] != '\n') putchar('\n');
        if (options->device) status = say_choice(options, &job, &err);
        if (!options->quiet)
            cli_hint("`whorl show %s --after=PASS` and `--wgsl` print the program itself", options->files.items[0]);
    }
    err.status = status;
    enum cli_exit code = status == WHORL_OK ? CLI_OK : cli_report(&err);
    job_deinit(&job);
    return code;
}
