// The commands, one file each; every one gives the process's exit code.
#ifndef WHORL_CLI_COMMANDS_H
#define WHORL_CLI_COMMANDS_H

#include "guard.h"
#include "inputs.h"

enum cli_exit cli_run(const struct cli_options *options);
enum cli_exit cli_profile(const struct cli_options *options);
enum cli_exit cli_race(const struct cli_options *options);
enum cli_exit cli_compare(const struct cli_options *options); // run --compare
enum cli_exit cli_show(const struct cli_options *options);
enum cli_exit cli_explain(const struct cli_options *options);
enum cli_exit cli_devices(const struct cli_options *options);
enum cli_exit cli_probe(const struct cli_options *options);
enum cli_exit cli_math(const struct cli_options *options); // devices --math
enum cli_exit cli_pick(const struct cli_options *options);
enum cli_exit cli_plot(const struct cli_options *options);
enum cli_exit cli_bench(const struct cli_options *options);
enum cli_exit cli_bench_decode(const struct cli_options *options);
enum cli_exit cli_generate(const struct cli_options *options);
enum cli_exit cli_serve(const struct cli_options *options);
enum cli_exit cli_perplexity(const struct cli_options *options);
enum cli_exit cli_check_model(const struct cli_options *options);

// Prints a compile's warnings on stderr.
void cli_warnings(const struct job *job);
// The device `select`, as whorl_device_options has it, with what the command line says of devices.
enum whorl_status cli_open(const struct cli_options *options, const char *select, whorl_device **out_device,
                           struct whorl_error *err);
// The one that --device and --strategy ask for.
enum whorl_status cli_open_device(const struct cli_options *options, whorl_device **out_device,
                                  struct whorl_error *err);
// A job compiled for the device that it is to run on: `select`, or where that is NULL what --device and --strategy ask
// for. Every command that speaks of kernels comes through here, so that all speak of the same ones. Both are to be
// freed whatever comes back.
enum whorl_status cli_compile(const struct cli_options *options, const char *select, struct job *out_job,
                              whorl_device **out_device, struct whorl_error *err);
// "acrobot.c" or "acrobot.c:evaluate", for messages.
const char *cli_job_name(const struct job *job);
// "SwiftShader Device (software, vulkan)"; in `out`, cut to `size`.
void cli_device_words(const struct whorl_device_info *info, char *out, size_t size);
struct whorl_run_options cli_run_options(const struct cli_options *options);
struct cli_verdict {
    bool holds, floats_differ;
};
// Runs the program on the CPU and says of each output of `got`, and of single steps from there where the file has rules
// for them, whether it holds. The rules that fail name a line that would hold.
enum whorl_status cli_check_against_cpu(const struct job *job, whorl_device *device, void *const *got,
                                        struct cli_verdict *out, struct whorl_error *err);
// What is about to run: for the guard.
void cli_begin_run(const struct job *job, const whorl_device *device, enum whorl_strategy strategy);

#endif
