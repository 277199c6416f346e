// What a page calls. One instance does one job: files in, one compile, then as often as wished arrays, the judge and the
// comparison; or a second compile of a program beside the first. A call that bails out traps; `answer` says why even then, and the instance is done with.
//
// The job is the command line's own (cli/inputs.h): the same options, directives, generators and checks.
#include <stddef.h>
#include <string.h>

#include "inputs.h"
#include "ir/ir.h"
#include "plan/program.h"
#include "verdict.h"
#include "web.h"

// A device of which only the target is known.
struct whorl_device {
    struct whorl_device_info info;
};
const struct whorl_device_info *whorl_device_get_info(const whorl_device *of) { return &of->info; }

static struct whorl_device device;
static struct cli_options options;
static struct job job;
static struct whorl_error error;
static bool leaving, judging;
static void **judged, **got; // by parameter, after `judge`

_Noreturn void web_leave(const jmp_buf place) {
    if (leaving) __builtin_trap(); // while it was writing the answer
    leaving = true;
    if (judging) { // the interpreter, which has said all in `error`
        web_answer_error(&error);
    } else {
        const struct base_cx *cx = (const struct base_cx *)((const char *)place - offsetof(struct base_cx, bail));
        web_answer_begin();
        web_answer_put("{");
        web_answer_key("status");
        web_answer_string(whorl_status_name(cx->status));
        web_answer_key("diagnostics");
        web_answer_diagnostics(cx);
        web_answer_put("}");
    }
    __builtin_trap();
}

static bool fail(enum whorl_status status) {
    error.status = status;
    web_answer_error(&error);
    return false;
}

// ---- memory and files -----------------------------------------------------------------------------------------------

WEB_EXPORT(alloc) void *web_alloc(size_t size_bytes) { return base_heap_alloc(size_bytes); }

// Both are from `alloc` and are kept; the path ends with 0.
WEB_EXPORT(file) bool web_file(char *path, char *data, size_t size_bytes) {
    return web_files_add(path, data, size_bytes, size_bytes);
}

WEB_EXPORT(answer) const char *web_answer(void) { return web_answer_text(); }

// ---- compile --------------------------------------------------------------------------------------------------------

static void answer_param(const struct whorl_param *p) {
    web_answer_put("{");
    web_answer_key("name");
    web_answer_string(p->name);
    web_answer_key("type");
    web_answer_string(whorl_dtype_name(p->dtype));
    web_answer_key("array");
    web_answer_put(p->is_array ? "true" : "false");
    if (p->is_array) {
        web_answer_key("output");
        web_answer_put(p->is_output ? "true" : "false");
        web_answer_key("exact");
        web_answer_put(p->is_exact ? "true" : "false");
        web_answer_key("dims");
        web_answer_put("[");
        for (uint32_t d = 0; d < p->ndims; d++) {
            if (d) web_answer_put(",");
            web_answer_number((double)p->dims[d]);
        }
        web_answer_put("]");
    } else {
        web_answer_key("value");
        web_answer_number(p->value);
        web_answer_key("uniform");
        web_answer_put(p->is_uniform ? "true" : "false");
    }
    web_answer_put("}");
}

static void answer_program(void) {
    web_answer_begin();
    web_answer_put("{");
    web_answer_key("status");
    web_answer_string("WHORL_OK");
    web_answer_key("diagnostics");
    web_answer_diagnostics(job.program->cx);
    web_answer_key("params");
    web_answer_put("[");
    for (size_t i = 0; i < whorl_program_param_count(job.program); i++) {
        if (i) web_answer_put(",");
        answer_param(whorl_program_param(job.program, i));
    }
    web_answer_put("]");
    struct whorl_work work;
    if (whorl_program_work(job.program, &work)) {
        web_answer_key("flops");
        web_answer_number(work.float_ops + work.functions);
        web_answer_key("bytes");
        web_answer_number(work.bytes);
    }
    web_answer_key("barriers");
    web_answer_number(whorl_program_barriers(job.program));
    web_answer_put("}");
}

// What `compile` may assume of the device, as in whorl_target; 0 stands for what every device offers.
WEB_EXPORT(target)
void web_target(uint32_t register_words, uint32_t busy_invocations, uint32_t subgroup_lanes, uint32_t workgroup_bytes,
                uint32_t storage_buffers, double binding_bytes) {
    device.info.target = (struct whorl_target){.register_words = register_words,
                                               .busy_invocations = busy_invocations,
                                               .subgroup_lanes = subgroup_lanes,
                                               .workgroup_bytes = workgroup_bytes,
                                               .storage_buffers = storage_buffers,
                                               .binding_bytes = binding_bytes > 0 ? (uint64_t)binding_bytes : 0};
}

// `arguments` are those of `whorl show`: `count` texts, each ending with 0, one after the other.
WEB_EXPORT(compile) bool web_compile(uint32_t count, char *arguments) {
    enum { MOST = 1024 };
    char *list[MOST];
    const char *wrong = count > MOST ? "too many arguments" : NULL;
    for (uint32_t i = 0; i < count && !wrong; i++, arguments += strlen(arguments) + 1)
        list[i] = arguments;
    web_answer_begin();
    if (!wrong && !cli_options_parse(CLI_SHOW, (int)count, list, &options)) wrong = web_said();
    if (!wrong && options.files.count != 1) wrong = "name one file to compile";
    if (wrong) return fail(base_set_error(&error, WHORL_INVALID, "call", "%s", wrong));
    const whorl_program *beside = job.beside;
    enum whorl_status status = job_open(&options, &job, &error);
    job.beside = beside;
    if (status == WHORL_OK) status = job_compile(&job, &device, &error);
    if (status != WHORL_OK) return fail(status);
    answer_program();
    return true;
}

// What was compiled stays, and the program that is compiled next gets the same places for arrays of the same names, as
// with `beside` of whorl_compile_options. Both texts are there afterwards.
WEB_EXPORT(beside) bool web_beside(void) {
    if (!job.program) return fail(base_set_error(&error, WHORL_INVALID, "call", "nothing was compiled"));
    job = (struct job){.beside = job.program};
    options = (struct cli_options){0};
    judged = got = NULL;
    return true;
}

WEB_EXPORT(text) const char *web_text(enum whorl_text what) { return whorl_program_text(job.program, what); }

// ---- arrays ---------------------------------------------------------------------------------------------------------

// The arrays that the program starts with.
WEB_EXPORT(fill) bool web_fill(void) {
    if (!job.program) return fail(base_set_error(&error, WHORL_INVALID, "call", "nothing was compiled"));
    enum whorl_status status = job_fill(&job, &error);
    return status == WHORL_OK ? true : fail(status);
}

WEB_EXPORT(array_bytes) size_t web_array_bytes(size_t param) {
    return param < job.param_count ? job.size_bytes[param] : 0;
}

// side 0: of `fill`; 1: the judge's; 2: what is compared with it, for the page to write. Outputs only where 1 or 2.
WEB_EXPORT(array) void *web_array(uint32_t side, size_t param) {
    void **arrays = side == 0 ? job.start : side == 1 ? judged : got;
    return arrays && param < job.param_count ? arrays[param] : NULL;
}

// ---- the judge ------------------------------------------------------------------------------------------------------

// Room for what is compared, sides 1 and 2. `judge` fills side 1; a page may write there what it trusts already.
WEB_EXPORT(sides) bool web_sides(void) {
    if (!job.start) return fail(base_set_error(&error, WHORL_INVALID, "call", "no arrays were filled"));
    enum whorl_status status = judged ? WHORL_OK : job_results_create(&job, &judged, &error);
    if (status == WHORL_OK && !got) status = job_results_create(&job, &got, &error);
    return status == WHORL_OK ? true : fail(status);
}

// The program in the interpreter, at most so many of its statements (0: 10^10).
WEB_EXPORT(judge) bool web_judge(double max_steps) {
    if (!web_sides()) return false;
    job_results_reset(&job, judged);
    struct ir_interp_options how = {
        .arrays = judged, .size_bytes = job.size_bytes, .max_steps = max_steps > 0 ? (uint64_t)max_steps : 0};
    judging = true;
    enum whorl_status status = ir_interpret(job.program->unit, &how, &error);
    judging = false;
    return status == WHORL_OK ? true : fail(status);
}

static void say(void *user, const struct whorl_param *param, const struct check_rule *rule,
                const struct check_verdict *verdict) {
    bool *first = user;
    char line[512];
    if (!*first) web_answer_put(",");
    *first = false;
    check_say(rule, verdict, param, line, sizeof line);
    web_answer_put("{");
    web_answer_key("array");
    web_answer_string(param->name);
    web_answer_key("holds");
    web_answer_put(verdict->holds ? "true" : "false");
    web_answer_key("text");
    web_answer_string(line);
    web_answer_put("}");
}

// Side 2 against side 1, by the file's `// check:` lines. False: it could not be compared; the verdict is in the answer.
WEB_EXPORT(check) bool web_check(void) {
    if (!judged) return fail(base_set_error(&error, WHORL_INVALID, "call", "nobody has judged yet"));
    bool first = true, holds;
    web_answer_begin();
    web_answer_put("{");
    web_answer_key("status");
    web_answer_string("WHORL_OK");
    web_answer_key("verdicts");
    web_answer_put("[");
    const struct directives *d = &job.directives;
    enum whorl_status status =
        check_outputs(d->checks, d->check_count, job.program, got, judged, say, &first, &holds, &error);
    if (status != WHORL_OK) return fail(status);
    web_answer_put("]");
    web_answer_key("holds");
    web_answer_put(holds ? "true" : "false");
    web_answer_put("}");
    return true;
}
