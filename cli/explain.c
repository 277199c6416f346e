// `whorl explain`: what the compiler did with the program's loops, and what kept it from doing more.
#include <string.h>

#include "commands.h"
#include "tuning.h"

// The CPU takes more than GPUs do. Who asks on a machine without one is told what another one would say.
static void say_gpus(const struct job *job, const whorl_device *device) {
    struct whorl_error err = {0};
    if (job->described || !device || !whorl_device_get_info(device)->is_cpu) return;
    if (job_try_gpu(job, &err) == WHORL_OK) return;
    fprintf(stdout, "  a GPU: none takes it: %.*s\n", (int)strcspn(err.message, "\n"), err.message);
}

enum cli_exit cli_explain(const struct cli_options *options) {
    struct whorl_error err = {0};
    struct job job = {0};
    whorl_device *device = NULL;
    enum whorl_status status =
        cli_compile(options, options->portable || options->probe ? "cpu" : NULL, &job, &device, &err);
    if (status == WHORL_OK) {
        const char *text = whorl_program_text(job.program, WHORL_TEXT_EXPLAIN);
        char hash[17], words[256];
        cli_print(stdout, *text ? text : "nothing was changed\n");
        if (*text && text[strlen(text) - 1] != '\n') putchar('\n');
        cli_device_words(job.described ? job.described : whorl_device_get_info(device), words, sizeof words);
        printf("kernels %s, made for %s%s%s\n", job_kernels_hash(&job, hash), options->portable ? "any GPU" : words,
               options->probe ? ", as described by " : "", options->probe ? options->probe : "");
        if (!options->portable) {
            cli_say_choice(stdout, &job, device);
            say_gpus(&job, device);
        }
        if (!options->quiet)
            cli_hint("`whorl show %s --wgsl` prints the kernels, `--after=PASS` the program after a pass",
                     options->files.items[0]);
    }
    err.status = status;
    enum cli_exit code = status == WHORL_OK ? CLI_OK : cli_report(&err);
    whorl_device_destroy(device);
    job_deinit(&job);
    return code;
}
