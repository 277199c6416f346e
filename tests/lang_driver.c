// Judges the C files of tests/lang and tests/fresh by what they say of themselves, without a GPU:
//   - a file with `// error: LINE:COL: text` must be refused with exactly these errors, in this order;
//   - any other must compile without a warning of a race, and give the same outputs under cc (the file as written, and as the CPU
//     device prints it), in the interpreter as lowered, and in the interpreter after the pipeline of each rung of the ladder.
// Directives, inputs and comparisons are the command line's own (cli/).
//
//   lang_driver [--cc COMMAND] [--gpu INVOCATIONS] FILE...     for a GPU that so many keep busy; prints `ok NAME` or `FAIL NAME: why` for each file
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../cli/inputs.h"
#include "base/pairs.h"
#include "front/front.h"
#include "pass/analysis/depend.h"
#include "pass/pass.h"

enum { MAX_SCALARS = 16 };

static char why[4096]; // of the file at hand
// The standard is that of the CPU device (src/run/device/cpu.c): strict C11 has no M_PI.
static const char *cc = "gcc -std=gnu11 -O2 -fwrapv -fopenmp -ffp-contract=off -Wall -Wextra -Werror";
static uint32_t busy; // invocations that keep the GPU busy; 0: as the compiler thinks of any device
static char work_dir[] = "/tmp/lang_driver_XXXXXX";

__attribute__((format(printf, 1, 2))) static bool fail(const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    return false;
}

// What the job says to the compiler.
static struct whorl_compile_options compile_options(const struct job *job) {
    struct whorl_compile_options o = WHORL_COMPILE_OPTIONS_INIT;
    o.entry = job->entry ? job->entry : job->directives.entry;
    o.scalars = job->scalars;
    o.scalar_count = job->scalar_count;
    o.shapes = job->shapes;
    o.shape_count = job->shape_count;
    o.defines = job->defines.items;
    o.define_count = job->defines.count;
    o.uniform = job->uniforms.items;
    o.uniform_count = job->uniforms.count;
    o.double_as_float = job->double_as_float;
    o.double_as_pair = job->double_as_pair;
    o.int64_as_int32 = job->int64_as_int32;
    return o;
}

// What the passes may assume of the device: of that of --gpu, if one was named. Its subgroups do not count, for the
// interpreter makes no lanes that exchange values.
static struct plan_target target_of_passes(void) {
    struct plan_target target = plan_base_target;
    if (!busy) return target;
    target.busy_invocations = busy;
    target.register_budget = 256;
    return target;
}

static void take_verdict(void *user, const struct whorl_param *param, const struct check_rule *rule,
                         const struct check_verdict *verdict) {
    char text[400];
    if (verdict->holds || *why) return;
    check_say(rule, verdict, param, text, sizeof text);
    fail("%s: %s: %s", (const char *)user, param->name, text);
}

static bool same(const struct job *job, void *const *want, void *const *got, const char *what) {
    struct whorl_error err;
    bool holds;
    if (check_outputs(job->directives.checks, job->directives.check_count, job->program, got, want, take_verdict,
                      (void *)(uintptr_t)what, &holds, &err) != WHORL_OK)
        return fail("%s", err.message);
    return holds || *why ? holds : fail("%s: differs", what);
}

// ---- the ways to run ----------------------------------------------------------------------------------------------------------------

// Compiles a C file that ends in __whorl_call and calls that.
static bool run_cc(const char *c_path, const char *flags, void **arrays, const uint64_t *slots, const char *what) {
    static int serial;
    char so[300], command[2048], log[300], first[400] = "";
    snprintf(so, sizeof so, "%s/p%d.so", work_dir, serial++);
    snprintf(log, sizeof log, "%s/log", work_dir);
    snprintf(command, sizeof command, "%s %s -shared -fPIC -o %s %s -lm > %s 2>&1", cc, flags, so, c_path, log);
    if (system(command) != 0) {
        FILE *f = fopen(log, "r");
        while (f && fgets(first, sizeof first, f) && !strstr(first, "error"))
            ;
        if (f) fclose(f);
        return fail("%s: cc refuses it: %s", what, first);
    }
    void *library = dlopen(so, RTLD_NOW | RTLD_LOCAL);
    if (!library) return fail("%s: %s", what, dlerror());
    void (*call)(void **, const void *);
    *(void **)&call = dlsym(library, "__whorl_call");
    if (!call) return fail("%s: no __whorl_call", what);
    fflush(stdout); // what the program prints is not for our reader
    int kept = dup(STDOUT_FILENO);
    if (kept < 0 || !freopen("/dev/null", "w", stdout)) return fail("%s: cannot be silenced", what);
    call(arrays, slots);
    fflush(stdout);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    unlink(so);
    return true;
}

static bool run_original(const struct job *job, const struct ir_unit *u, void **arrays, const uint64_t *slots) {
    char wrapper[300], full[4096], flags[2048] = "";
    if (!realpath(job->path, full)) return fail("no such file");
    snprintf(wrapper, sizeof wrapper, "%s/wrapper.c", work_dir);
    FILE *f = fopen(wrapper, "w");
    if (!f) return fail("cannot write %s", wrapper);
    fprintf(
        f,
        "#include \"%s\"\nvoid __whorl_call(void **a, const void *s);\nvoid __whorl_call(void **a, const void *s) {\n",
        full);
    fprintf(f, "    const unsigned char *slots = s;\n    (void)a, (void)slots;\n    %s(", u->entry);
    static const char *const names[] = {
        [IR_BOOL] = "_Bool", [IR_I32] = "int", [IR_U32] = "unsigned", [IR_F32] = "float"};
    for (uint32_t i = 0; i < u->param_count; i++)
        if (u->params[i].is_array)
            fprintf(f, "%sa[%u]", i ? ", " : "", i);
        else
            fprintf(f, "%s*(const %s *)(slots + %u)", i ? ", " : "",
                    u->params[i].is_pair ? "double"
                    : u->params[i].longs ? "long long"
                                         : names[u->params[i].type],
                    i * 8);
    fprintf(f, ");\n}\n");
    fclose(f);
    for (size_t i = 0; i < job->defines.count; i++)
        snprintf(flags + strlen(flags), sizeof flags - strlen(flags), " -D%s", job->defines.items[i]);
    return run_cc(wrapper, flags, arrays, slots, "cc");
}

static bool run_printed(const char *c_text, void **arrays, const uint64_t *slots) {
    char path[300];
    snprintf(path, sizeof path, "%s/printed.c", work_dir);
    FILE *f = fopen(path, "w");
    if (!f) return fail("cannot write %s", path);
    fputs(c_text, f);
    fclose(f);
    return run_cc(path, "-w", arrays, slots, "printed C");
}

static bool run_interpreter(const struct ir_unit *u, const struct job *job, void **arrays, const char *what) {
    struct whorl_error err;
    struct ir_interp_options o = {.arrays = arrays, .size_bytes = job->size_bytes, .max_steps = 200000000};
    if (ir_interpret(u, &o, &err) != WHORL_OK) return fail("%s: %u:%u: %s", what, err.line, err.col, err.message);
    return true;
}

// ---- one file -----------------------------------------------------------------------------------------------------------------------

// The errors of rendered diagnostics, `FILE:LINE:COL: error: text`, against those that the file names.
static bool check_errors(const char *rendered, const struct directives *d) {
    size_t seen = 0;
    for (const char *at = rendered; *at;) {
        size_t n = strcspn(at, "\n");
        char line[1024];
        snprintf(line, sizeof line, "%.*s", (int)(n < 1000 ? n : 1000), at);
        at += n + (at[n] == '\n');
        char *error = strstr(line, ": error: ");
        if (!error || line[0] == ' ') continue;
        if (seen == d->error_count) return fail("one error more than it names: %s", line);
        const struct directive_error *want = &d->errors[seen++];
        unsigned row = 0, col = 0;
        *error = 0;
        char *name_end = strstr(line, ".c:");
        if (name_end) sscanf(name_end + 3, "%u:%u", &row, &col);
        if (row != want->line || col != want->col || !strstr(error + 9, want->text))
            return fail("wants '%u:%u: %s', got %u:%u: %s", want->line, want->col, want->text, row, col, error + 9);
    }
    return seen == d->error_count ? true : fail("error not given: %s", d->errors[seen].text);
}

// The inputs of a file that is to be refused are numbers; what else the command line would refuse before is left to the
// compiler.
static bool check_refused(const char *path, const struct directives *d) {
    struct whorl_compile_options o = WHORL_COMPILE_OPTIONS_INIT;
    struct whorl_scalar scalars[MAX_SCALARS];
    char names[MAX_SCALARS][64];
    for (size_t i = 0; i < d->test.inputs.count && i < MAX_SCALARS; i++) {
        const char *text = d->test.inputs.items[i], *equals = strchr(text, '=');
        snprintf(names[i], sizeof names[i], "%.*s", (int)(equals - text), text);
        scalars[o.scalar_count++] = (struct whorl_scalar){names[i], strtod(equals + 1, NULL)};
    }
    o.scalars = scalars;
    o.entry = d->entry;
    o.uniform = d->test.uniforms.items;
    o.uniform_count = d->test.uniforms.count;
    o.int64_as_int32 = d->test.int64_as_int32;
    o.double_as_float = d->test.double_as_float;
    o.double_as_pair = d->test.double_as_pair;
    whorl_program *program = NULL;
    struct whorl_error err;
    enum whorl_status status = whorl_compile(path, NULL, &o, &program, &err);
    if (status == WHORL_OK) {
        whorl_program_destroy(program);
        return fail("compiled, but wants: %s", d->errors[0].text);
    }
    if (status != WHORL_SOURCE && status != WHORL_UNSUPPORTED)
        return fail("%s: %s", whorl_status_name(status), err.message);
    return check_errors(err.message, d);
}

static const struct {
    const char *name;
    int goal; // -1: as lowered, -2: printed C
} ways[] = {{"printed C", -2}, {"lowered", -1}, {"eager", PASS_EAGER}, {"steps", PASS_STEPS}, {"single", PASS_SINGLE}};

static bool judge(struct base_cx *cx, const struct job *job, void **want, void **got) {
    if (setjmp(cx->bail) != 0)
        return fail("does not compile:\n%s", cx->status == WHORL_MEMORY ? "out of memory" : base_render_diags(cx));
    struct whorl_compile_options o = compile_options(job);
    struct front_options fo = {.path = job->path, .user = &o};
    struct front_result front = front_compile(cx, &fo);
    base_check_errors(cx);
    ir_check(front.unit, "lowering");
    uint64_t *slots = base_alloc_array(cx, job->param_count + 1, sizeof *slots);
    for (size_t i = 0; i < job->param_count; i++) {
        const struct ir_param *p = &front.unit->params[i];
        double value = base_pair_value((struct base_pair){base_bits_float(p->bits), base_bits_float(p->low)});
        memcpy(&slots[i], &p->bits, sizeof p->bits);
        if (p->is_pair) memcpy(&slots[i], &value, sizeof value);
        if (p->longs) slots[i] = (uint64_t)p->low << 32 | p->bits;
    }
    if (!run_original(job, front.unit, want, slots)) return false;
    struct plan_target target = target_of_passes();
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        job_results_reset(job, got);
        struct pass_cx p = {.u = front.unit, .target = &target, .eager = ways[i].goal == PASS_EAGER};
        if (ways[i].goal >= 0) {
            struct base_text explain;
            base_text_init(&explain, cx);
            p.u = ir_unit_clone(front.unit);
            p.explain = &explain;
            pass_run(&p, (enum pass_goal)ways[i].goal, NULL, NULL);
        }
        if (!(ways[i].goal == -2 ? run_printed(front.c_text, got, slots)
                                 : run_interpreter(p.u, job, got, ways[i].name)) ||
            !same(job, want, got, ways[i].name))
            return false;
        if (!p.tree) continue; // what is run where one dispatch is not possible
        job_results_reset(job, got);
        if (!run_interpreter(p.tree, job, got, ways[i].name) || !same(job, want, got, ways[i].name)) return false;
    }
    return true;
}

static bool check_accepted(const char *path) {
    struct cli_options options = {.test = true};
    struct job job;
    struct whorl_error err = {0};
    void **want = NULL, **got = NULL;
    cli_list_add(&options.files, path);
    bool good = job_open(&options, &job, &err) == WHORL_OK && job_compile(&job, NULL, &err) == WHORL_OK &&
                job_fill(&job, &err) == WHORL_OK && job_results_create(&job, &want, &err) == WHORL_OK &&
                job_results_create(&job, &got, &err) == WHORL_OK;
    if (!good) fail("%s", err.message);
    if (good) {
        struct base_cx *cx = calloc(1, sizeof *cx);
        base_cx_init(cx);
        good = judge(cx, &job, want, got);
        base_cx_deinit(cx);
        free(cx);
        const char *warnings = whorl_program_text(job.program, WHORL_TEXT_WARNINGS);
        if (good && strstr(warnings, "race")) good = fail("warned: %s", warnings);
    }
    job_results_destroy(&job, want);
    job_results_destroy(&job, got);
    job_deinit(&job);
    cli_list_deinit(&options.files);
    return good;
}

static bool test_file(const char *path) {
    struct directives d;
    struct whorl_error err;
    bool good = directives_read(path, &d, &err) == WHORL_OK || fail("%s", err.message);
    if (good) good = d.error_count ? check_refused(path, &d) : check_accepted(path);
    directives_deinit(&d);
    return good;
}

int main(int argc, char **argv) {
    int failed = 0;
    if (!mkdtemp(work_dir)) return 2;
    setenv("OMP_NUM_THREADS", "3", 0);
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--cc") == 0 && i + 1 < argc) {
            cc = argv[++i];
            continue;
        }
        if (strcmp(argv[i], "--gpu") == 0 && i + 1 < argc) {
            busy = (uint32_t)strtoul(argv[++i], NULL, 10);
            continue;
        }
        if (test_file(argv[i]))
            printf("ok %s\n", argv[i]);
        else
            printf("FAIL %s: %s\n", argv[i], why);
        failed += *why != 0;
        *why = 0;
        fflush(stdout);
    }
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", work_dir);
    return system(command) != 0 || failed ? 1 : 0;
}
