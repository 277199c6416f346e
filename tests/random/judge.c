// cc is the judge: its outputs against the interpreter's at every stage and the GPU's in every strategy. Bits must be
// equal; only the sign of a zero may differ, which no generated program can see and WGSL does not promise.
#include "judge.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "front/front.h"
#include "pass/pass.h"
#include "plan/program.h"
#include "run/device/device.h"

// ---- cc -------------------------------------------------------------------------------------------------------------

void judge_clean(const char *folder) {
    char command[400];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0) fprintf(stderr, "cannot remove %s\n", folder);
}

static char *read_whole(const char *path) {
    FILE *in = fopen(path, "r");
    char *text = calloc(1, 4001);
    if (in) {
        if (text) text[fread(text, 1, 4000, in)] = 0;
        fclose(in);
    }
    return text;
}

bool judge_build(struct gen_program *const *programs, char *const *texts, int count, const char *folder,
                 void **out_library, char **out_log) {
    *out_log = NULL;
    *out_library = NULL;
    char command[600], path[300];
    snprintf(command, sizeof command, "mkdir -p '%s'", folder);
    if (system(command) != 0) return false;
    for (int i = 0; i < count; i++) {
        snprintf(path, sizeof path, "%s/%llu.c", folder, (unsigned long long)programs[i]->seed);
        FILE *out = fopen(path, "w");
        if (!out) return false;
        char *wrapper = gen_wrapper(programs[i]);
        fputs(texts[i], out);
        fputs(wrapper, out);
        free(wrapper);
        fclose(out);
    }
    const char *flags = getenv("RANDOM_CFLAGS"), *cc = getenv("CC");
    snprintf(command, sizeof command,
             "cd '%s' && %s -std=gnu11 -fopenmp -ffp-contract=off -fPIC -shared %s *.c -o lib.so -lm > log 2>&1",
             folder, cc && *cc ? cc : "gcc", flags && *flags ? flags : "-O1 -w");
    int rc = system(command);
    if (rc == 0) {
        snprintf(path, sizeof path, "%s/lib.so", folder);
        *out_library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        if (*out_library) return true;
        *out_log = strdup(dlerror());
        return false;
    }
    snprintf(path, sizeof path, "%s/log", folder);
    *out_log = read_whole(path);
    return false;
}

static size_t param_bytes(const struct gen_param *a) { return a->count * gen_elem_size(a->elem); }

static void *copy_of(const void *from, size_t size) {
    void *to = malloc(size ? size : 1);
    if (!to) {
        fputs("out of memory\n", stderr);
        exit(2);
    }
    memcpy(to, from, size);
    return to;
}

static void scalars_of(const struct gen_program *p, double *out) {
    for (uint32_t i = 0; i < p->param_count; i++)
        out[i] = p->params[i].value;
}

static void set_threads(void *library, int count) {
    void *symbol = dlsym(library, "omp_set_num_threads");
    void (*set)(int) = NULL;
    memcpy(&set, &symbol, sizeof symbol);
    if (set) set(count);
}

bool judge_reference(const struct gen_program *p, void *library, struct reference *out) {
    *out = (struct reference){.library = library};
    char name[40];
    snprintf(name, sizeof name, "call_%llu", (unsigned long long)p->seed);
    void *symbol = dlsym(library, name);
    if (!symbol) return false;
    memcpy(&out->call, &symbol, sizeof symbol);
    double scalars[GEN_MAX_PARAMS];
    scalars_of(p, scalars);
    for (uint32_t i = 0; i < p->param_count; i++)
        if (p->params[i].is_array) {
            size_t size = param_bytes(&p->params[i]);
            out->inputs[i] = calloc(1, size);
            gen_input(p, i, out->inputs[i]);
            out->outputs[i] = copy_of(out->inputs[i], size);
        }
    set_threads(library, 1);
    out->call(out->outputs, scalars);
    return true;
}

void judge_free(struct reference *r) {
    for (int i = 0; i < GEN_MAX_PARAMS; i++) {
        free(r->inputs[i]);
        free(r->outputs[i]);
    }
}

// ---- comparing ------------------------------------------------------------------------------------------------------

static void show_value(enum gen_elem elem, const void *at, char *out, size_t size) {
    uint32_t bits = 0;
    uint64_t wide = 0;
    memcpy(&wide, at, gen_elem_size(elem));
    bits = (uint32_t)wide;
    if (gen_elem_size(elem) == 8)
        snprintf(out, size, "0x%llx", (unsigned long long)wide);
    else if (elem == GEN_F32)
        snprintf(out, size, "%.9g", (double)base_bits_float(bits));
    else
        snprintf(out, size, elem == GEN_U32 ? "%u" : "%d", bits);
}

static bool same_outputs(const struct gen_program *p, const struct reference *r, void *const *arrays,
                         struct verdict *v) {
    for (uint32_t i = 0; i < p->param_count; i++) {
        const struct gen_param *a = &p->params[i];
        if (!a->is_array) continue;
        size_t each = gen_elem_size(a->elem);
        uint32_t wrong = 0, first = 0;
        for (uint32_t k = 0; k < a->count; k++) {
            const uint8_t *want = (const uint8_t *)r->outputs[i] + k * each,
                          *got = (const uint8_t *)arrays[i] + k * each;
            if (memcmp(want, got, each) == 0) continue;
            uint64_t x = 0, y = 0;
            memcpy(&x, want, each);
            memcpy(&y, got, each);
            if (a->elem == GEN_F32 && (uint32_t)(x << 1) == 0 && (uint32_t)(y << 1) == 0) continue;
            if (!wrong++) first = k;
        }
        if (wrong) {
            char want[40], got[40];
            show_value(a->elem, (const uint8_t *)r->outputs[i] + first * each, want, sizeof want);
            show_value(a->elem, (const uint8_t *)arrays[i] + first * each, got, sizeof got);
            v->failure = FAIL_DIFFERENT;
            snprintf(v->why, sizeof v->why, "%s[%u] (flat) is %s, cc has %s; %u of %u elements differ", a->name, first,
                     got, want, wrong, a->count);
            return false;
        }
    }
    return true;
}

static void copy_inputs(const struct gen_program *p, const struct reference *r, void **arrays, size_t *sizes) {
    for (uint32_t i = 0; i < p->param_count; i++) {
        sizes[i] = p->params[i].is_array ? param_bytes(&p->params[i]) : 0;
        arrays[i] = p->params[i].is_array ? copy_of(r->inputs[i], sizes[i]) : NULL;
    }
}

const char *judge_off;

// The way's pass and judge_off as one list; NULL: none.
static const char *passes_off(const char *off, char out[200]) {
    bool some = off && *off;
    snprintf(out, 200, "%s%s%s", some ? off : "", some && judge_off ? "," : "", judge_off ? judge_off : "");
    return *out ? out : NULL;
}

// ---- compiling ------------------------------------------------------------------------------------------------------

struct settings {
    struct whorl_scalar scalars[GEN_MAX_PARAMS];
    struct whorl_shape shapes[GEN_MAX_PARAMS];
    const char *uniform[GEN_MAX_PARAMS];
    struct whorl_compile_options options;
    char path[40], off[200];
};

static void settle(const struct gen_program *p, const char *off, struct settings *s) {
    s->options = (struct whorl_compile_options)WHORL_COMPILE_OPTIONS_INIT;
    s->options.entry = p->entry;
    s->options.scalars = s->scalars;
    s->options.shapes = s->shapes;
    s->options.uniform = s->uniform;
    s->options.pass_off = passes_off(off, s->off);
    // Devices that small tiles and small windows in workgroup memory are made for.
    if (p->seed % 4 == 0) s->options.target.busy_invocations = 256;
    if (p->seed % 4 == 1) s->options.target.workgroup_bytes = 4096 + 192;
    if (p->seed % 4 == 1) s->options.lanes = 4;
    for (uint32_t i = 0; i < p->param_count; i++) {
        const struct gen_param *a = &p->params[i];
        if (!a->is_array) {
            s->scalars[s->options.scalar_count++] = (struct whorl_scalar){a->name, a->value};
            if (a->uniform) s->uniform[s->options.uniform_count++] = a->name;
        } else if (a->unsized) {
            struct whorl_shape *shape = &s->shapes[s->options.shape_count++];
            *shape = (struct whorl_shape){.name = a->name, .ndims = a->ndims};
            for (uint32_t d = 0; d < a->ndims; d++)
                shape->dims[d] = a->dims[d];
        }
    }
    snprintf(s->path, sizeof s->path, "%llu.c", (unsigned long long)p->seed);
}

static void not_compiled(enum whorl_status status, const char *message, struct verdict *v) {
    v->failure = status == WHORL_INTERNAL ? FAIL_INTERNAL : FAIL_REFUSED;
    snprintf(v->why, sizeof v->why, "%s: %.1400s", whorl_status_name(status), message);
}

// Passes that load what is then not used, in places of others.
#define LOAD_EARLY "gather,widen,ask,ahead,issue"

// ---- interpreter ----------------------------------------------------------------------------------------------------

static void judge_interpreter(const struct gen_program *p, const char *text, const struct reference *r,
                              const struct way *way, struct verdict *v) {
    struct settings s = {0};
    settle(p, NULL, &s);
    struct base_cx *cx = base_heap_alloc(sizeof *cx);
    if (!cx) return;
    base_cx_init(cx);
    if (setjmp(cx->bail) != 0) {
        enum whorl_status status = cx->status;
        if (setjmp(cx->bail) == 0)
            not_compiled(status, base_render_diags(cx), v);
        else
            not_compiled(status, "out of memory", v);
        base_cx_deinit(cx);
        base_heap_free(cx);
        return;
    }
    struct front_options fo = {.path = s.path, .text = text, .user = &s.options};
    struct front_result front = front_compile(cx, &fo);
    base_check_errors(cx);
    ir_check(front.unit, "front");
    bool grid = false, teams = way->what == WAY_PASSES && p->seed % 3 == 0;
    if (way->what == WAY_PASSES) {
        char off[300];
        const char *mine = passes_off(way->off, s.off);
        snprintf(off, sizeof off, "%s%s%s", mine ? mine : "", mine && teams ? "," : "", teams ? LOAD_EARLY : "");
        struct plan_target target = plan_base_target;
        if (teams) target.lanes = 4u << p->seed / 3 % 3;
        if (p->seed / 5 % 2) { // a large device, without lanes of a subgroup, which do not run one after the other
            target.register_budget = 256;
            target.busy_invocations = 65536;
            target.workgroup_bytes = 32768;
            target.coherent_memory = target.float_atomics = true;
        }
        struct base_text explain;
        base_text_init(&explain, cx);
        struct pass_cx pass = {
            .u = front.unit, .target = &target, .explain = &explain, .eager = way->goal == PASS_EAGER};
        pass_run(&pass, (enum pass_goal)way->goal, *off ? off : NULL, NULL);
        front.unit = pass.u; // a copy where it was made for one dispatch
        grid = pass.tree;
    }
    void *arrays[GEN_MAX_PARAMS];
    size_t sizes[GEN_MAX_PARAMS];
    copy_inputs(p, r, arrays, sizes);
    // Loops whose lanes look for the next pass that does something try many passes for each.
    struct ir_interp_options options = {.arrays = arrays, .size_bytes = sizes, .max_steps = 400000000};
    struct whorl_error err = {0};
    // either what waits for what is looked at, or everything comes in the other order
    options.backwards = way->what == WAY_PASSES && (p->seed + (uint64_t)way->goal) % 2;
    if (way->what == WAY_PASSES && !options.backwards) options.follower = judge_waits_begin(front.unit, grid, teams, v);
    enum whorl_status status = ir_interpret(front.unit, &options, &err);
    if (options.follower) judge_waits_end(options.follower);
    if (status != WHORL_OK) {
        v->failure = FAIL_ENDED;
        snprintf(v->why, sizeof v->why, "the interpreter ended: %.1400s", err.message);
    } else if (v->failure == FAIL_NONE && same_outputs(p, r, arrays, v)) {
        for (uint32_t i = 0; i < p->param_count; i++)
            if (arrays[i]) memcpy(arrays[i], r->inputs[i], sizes[i]);
        judge_bounds(front.unit, arrays, sizes, v);
    }
    for (uint32_t i = 0; i < p->param_count; i++)
        free(arrays[i]);
    base_cx_deinit(cx);
    base_heap_free(cx);
}

// ---- GPU ------------------------------------------------------------------------------------------------------------

// About how many slices of one iteration and one tick the plan would be.
static uint64_t slice_count(const struct plan *plan, const struct gen_program *p) {
    uint64_t sum = 0, repeats = 1;
    for (uint32_t i = 0; i < p->param_count; i++)
        if (strcmp(p->params[i].name, "steps") == 0 && !plan->single.exists) repeats = (uint64_t)p->params[i].value;
    for (uint32_t k = 0; k < plan->kernel_count; k++) {
        const struct plan_kernel *kernel = &plan->kernels[k];
        const struct plan_expr_node *n = &plan->exprs[kernel->iterations];
        uint64_t ticks = kernel->ticks ? kernel->ticks : kernel->resume_words ? 64 : 1;
        sum += (n->op == PLAN_CONST ? (uint64_t)n->value : 64) * ticks * repeats;
    }
    return sum;
}

static void judge_gpu(const struct gen_program *p, const char *text, const struct reference *r, const struct way *way,
                      whorl_device *gpu, struct verdict *v) {
    struct settings s = {0};
    settle(p, way->off, &s);
    const struct whorl_device_info *info = whorl_device_get_info(gpu);
    s.options.target.coherent_memory = p->seed % 2 && (info->target.coherent_memory || info->is_software);
    s.options.target.subgroup_lanes = info->target.subgroup_lanes;
    s.options.target.float_atomics = p->seed / 2 % 2 && info->target.float_atomics;
    s.options.lanes = p->seed % 4 ? 1u << p->seed % 4 : 0; // 0: chosen
    whorl_program *program = NULL;
    struct whorl_error err = {0};
    enum whorl_status status = whorl_compile(s.path, text, &s.options, &program, &err);
    if (status != WHORL_OK) {
        not_compiled(status, err.message, v);
        return;
    }
    v->single_exists = program->plan->single.exists;
    void *arrays[GEN_MAX_PARAMS];
    size_t sizes[GEN_MAX_PARAMS];
    copy_inputs(p, r, arrays, sizes);
    struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
    options.strategy = way->strategy;
    options.groups = way->groups;
    gpu->grid_test.ran = 0;
    if (way->slices) {
        // one iteration and one tick at a time, unless that were thousands of dispatches
        uint64_t factor = slice_count(program->plan, p) / 4500 + 1;
        options.slice_iterations = factor < 64 ? factor : 64;
        options.slice_ticks = (factor + 63) / 64;
    }
    struct whorl_stats stats = {0};
    if (way->strategy == WHORL_SINGLE && !v->single_exists) {
        // nothing to judge: the caller sees that it does not exist
    } else if ((status = whorl_run(gpu, program, arrays, sizes, &options, &stats, &err)) == WHORL_DEVICE &&
               way->groups > 1 && strstr(way->off, "slice") && strstr(err.message, "cut a loop")) {
        // Workgroups that did not run side by side, as where the processors are busy, left the work to dispatches of
        // its parts; and these need the pass that is left out here.
        v->single_exists = false;
    } else if (status != WHORL_OK) {
        v->failure = status == WHORL_INTERNAL ? FAIL_INTERNAL : FAIL_ENDED;
        snprintf(v->why, sizeof v->why, "%s (%s): %.1400s", whorl_status_name(status), err.stage, err.message);
    } else {
        v->dispatches = stats.dispatches;
        v->slices = stats.slices;
        v->single_ran = stats.strategy == WHORL_SINGLE && !stats.fell_back;
        v->groups = gpu->grid_test.ran;
        if (way->strategy == WHORL_SINGLE && stats.fell_back &&
            way->groups < 2) { // several may fail to run side by side
            v->failure = FAIL_ENDED;
            snprintf(v->why, sizeof v->why, "single fell back: %s", stats.note);
        } else {
            same_outputs(p, r, arrays, v);
        }
    }
    for (uint32_t i = 0; i < p->param_count; i++)
        free(arrays[i]);
    whorl_program_destroy(program);
}

void judge(const struct gen_program *p, const char *text, const struct reference *r, const struct way *way,
           whorl_device *gpu, struct verdict *out) {
    *out = (struct verdict){0};
    if (way->what == WAY_GPU) {
        judge_gpu(p, text, r, way, gpu, out);
    } else if (way->what ==
               WAY_THREADS) { // the judge against itself: another number of threads shows a race of the program
        void *arrays[GEN_MAX_PARAMS];
        size_t sizes[GEN_MAX_PARAMS];
        double scalars[GEN_MAX_PARAMS];
        copy_inputs(p, r, arrays, sizes);
        scalars_of(p, scalars);
        set_threads(r->library, 3);
        r->call(arrays, scalars);
        same_outputs(p, r, arrays, out);
        for (uint32_t i = 0; i < p->param_count; i++)
            free(arrays[i]);
    } else {
        judge_interpreter(p, text, r, way, out);
    }
}

void way_name(const struct way *way, char *out, size_t size) {
    static const char *const goals[] = {"eager", "steps", "single"};
    char name[60];
    switch (way->what) {
    case WAY_THREADS: snprintf(name, sizeof name, "cc with other threads"); break;
    case WAY_LOWERED: snprintf(name, sizeof name, "interpreter, as lowered"); break;
    case WAY_PASSES: snprintf(name, sizeof name, "interpreter, passes of %s", goals[way->goal]); break;
    default:
        snprintf(name, sizeof name, "GPU, %s%s%s", whorl_strategy_name(way->strategy), way->slices ? " in slices" : "",
                 way->groups > 1 ? " on several workgroups" : "");
    }
    snprintf(out, size, "%s%s%s", name, *way->off ? ", without " : "", way->off);
}
