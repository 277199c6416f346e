// `whorl show`: the program at one stage of its way to the GPU.
#include <string.h>

#include "commands.h"

enum cli_exit cli_show(const struct cli_options *o) {
    struct whorl_error err = {0};
    struct job job = {0};
    enum whorl_text what = o->show_wgsl   ? WHORL_TEXT_WGSL
                           : o->show_plan ? WHORL_TEXT_PLAN
                           : o->show_c    ? WHORL_TEXT_C
                                          : WHORL_TEXT_IR;
    bool wants_ir = o->show_ir || o->show_after;
    if (o->show_wgsl + o->show_plan + o->show_c + wants_ir > 1) {
        cli_error("show one thing at a time: --after=PASS, --ir, --wgsl, --plan or --c");
        return CLI_USAGE;
    }
    whorl_device *device = NULL;
    enum whorl_status status = cli_compile(o, o->portable || o->probe ? "cpu" : NULL, &job, &device, &err);
    if (status == WHORL_OK) {
        const char *text = whorl_program_text(job.program, what);
        char hash[17];
        if (what == WHORL_TEXT_WGSL) printf("// kernels %s\n", job_kernels_hash(&job, hash));
        fputs(text, stdout);
        if (*text && text[strlen(text) - 1] != '\n') putchar('\n');
    }
    err.status = status;
    enum cli_exit code = status == WHORL_OK ? CLI_OK : cli_report(&err);
    whorl_device_destroy(device);
    job_deinit(&job);
    return code;
}
