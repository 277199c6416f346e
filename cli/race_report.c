// `whorl run --race`: the program in the interpreter, which sees every access of every iteration.
#include "commands.h"
#include "inputs.h"
#include "terminal.h"

enum cli_exit cli_race(const struct cli_options *options) {
    struct whorl_error err = {0};
    struct job job = {0};
    void **arrays = NULL;
    uint64_t iterations = 0;
    char count[32];
    enum whorl_status status = job_open(options, &job, &err);
    if (status == WHORL_OK) status = job_compile(&job, NULL, &err); // it runs in the interpreter
    cli_warnings(&job);
    if (status == WHORL_OK) status = job_fill(&job, &err);
    if (status == WHORL_OK) status = job_results_create(&job, &arrays, &err);
    guard_stage(GUARD_RACING);
    if (status == WHORL_OK) status = whorl_find_races(job.program, arrays, job.size_bytes, &iterations, &err);
    if (status == WHORL_OK && !options->quiet)
        printf("%s: no race between %s iterations of its parallel loops\n", cli_job_name(&job),
               cli_thousands(iterations, count));
    err.status = status;
    enum cli_exit code = status == WHORL_OK ? CLI_OK : cli_report(&err);
    job_results_destroy(&job, arrays);
    job_deinit(&job);
    return code;
}
