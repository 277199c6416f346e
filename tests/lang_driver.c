// Judges the C files of tests/lang by what they say of themselves, without a GPU:
//   - a file with `// error: LINE:COL: text` must be refused with exactly these errors, in this order;
//   - any other must compile without a warning that accuses it, and give the same outputs under cc (the file as written, and as the
//     CPU device prints it), in the interpreter as lowered, and in the interpreter after the pipeline of each rung of the ladder.
//
//   lang_driver [--cc COMMAND] FILE...     prints `ok NAME` or `FAIL NAME: why` for each file, and only why for the details
//
// `// test:` gives the inputs (a second line goes on with the first), `// check: [NAME] exact | abs X | rel X` what is equal: floats
// of cc and interpreter have the same bits where nothing rounds.
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "front/front.h"
#include "pass/depend.h"
#include "pass/pass.h"
#include "whorl.h"

enum { MAX_INPUTS = 16, MAX_CHECKS = 16, MAX_LINES = 32, MAX_PARAMS = 32, NAME_BYTES = 64 };

struct input { // -i name=...
    char name[NAME_BYTES], kind[NAME_BYTES]; // kind "": a number
    double value, lo, hi;
    uint64_t seed, count; // count 0: the array's own size
};
struct check {
    char name[NAME_BYTES], kind[8]; // name "": every output
    double limit;
};
struct expectation { // of a file
    char entry[NAME_BYTES];
    char test[1024], errors[MAX_LINES][512];
    uint32_t error_count, check_count;
    struct check checks[MAX_CHECKS];
};
struct run { // what the file is run with
    struct input inputs[MAX_INPUTS];
    uint32_t input_count;
    struct whorl_scalar scalars[MAX_INPUTS];
    struct whorl_shape shapes[MAX_INPUTS];
    char define_text[MAX_INPUTS][256];
    const char *defines[MAX_INPUTS];
    struct whorl_compile_options options;
};

static char why[4096]; // of the file at hand
static const char *cc = "gcc -std=c11 -O2 -fopenmp -ffp-contract=off -Wall -Wextra -Werror";
static char work_dir[] = "/tmp/lang_driver_XXXXXX";

__attribute__((format(printf, 1, 2))) static bool fail(const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    return false;
}

// ---- directives -----------------------------------------------------------------------------------------------------------------

static bool directive(const char *line, const char *name, char *out, size_t cap) {
    size_t n = strlen(name);
    if (strncmp(line, "// ", 3) != 0 || strncmp(line + 3, name, n) != 0 || strncmp(line + 3 + n, ": ", 2) != 0)
        return false;
    snprintf(out, cap, "%s", line + 5 + n);
    out[strcspn(out, "\n")] = 0;
    return true;
}

static bool read_expectation(const char *path, struct expectation *x) {
    FILE *f = fopen(path, "r");
    if (!f)
        return fail("cannot be opened");
    memset(x, 0, sizeof *x);
    char line[600], rest[512];
    while (fgets(line, sizeof line, f)) {
        if (x->error_count == MAX_LINES || x->check_count == MAX_CHECKS)
            break;
        if (directive(line, "test", rest, sizeof rest)) {
            size_t used = strlen(x->test);
            snprintf(x->test + used, sizeof x->test - used, "%s%s", used ? " " : "", rest);
        } else if (directive(line, "error", x->errors[x->error_count], sizeof x->errors[0])) {
            x->error_count++;
        } else if (directive(line, "entry", rest, sizeof rest)) {
            snprintf(x->entry, sizeof x->entry, "%.63s", rest);
        } else if (directive(line, "check", rest, sizeof rest)) {
            struct check *c = &x->checks[x->check_count++];
            if (strncmp(rest, "exact", 5) != 0 && strncmp(rest, "abs ", 4) != 0 && strncmp(rest, "rel ", 4) != 0) {
                if (sscanf(rest, "%63s %7s %lf", c->name, c->kind, &c->limit) < 2)
                    break;
            } else if (sscanf(rest, "%7s %lf", c->kind, &c->limit) < 1) {
                break;
            }
        }
    }
    fclose(f);
    return true;
}

// NUMBER | zeros | arange | const:V | uniform:lo=A,hi=B,seed=N, any of them with a size as its first word: arange:40
static bool read_input(char *text, struct input *in) {
    memset(in, 0, sizeof *in);
    char *value = strchr(text, '=');
    if (!value)
        return fail("'-i %s' has no value", text);
    *value++ = 0;
    snprintf(in->name, sizeof in->name, "%s", text);
    char *end;
    in->value = strtod(value, &end);
    if (end != value && !*end)
        return true;
    in->hi = 1;
    char *options = strchr(value, ':');
    if (options)
        *options++ = 0;
    snprintf(in->kind, sizeof in->kind, "%s", value);
    for (char *word = options ? strtok(options, ",") : NULL; word; word = strtok(NULL, ",")) {
        char *number = strchr(word, '=');
        double v = strtod(number ? number + 1 : word, NULL);
        if (number && strncmp(word, "lo", 2) == 0)
            in->lo = v;
        else if (number && strncmp(word, "hi", 2) == 0)
            in->hi = v;
        else if (number && strncmp(word, "seed", 4) == 0)
            in->seed = (uint64_t)v;
        else if (number)
            return fail("unknown option '%s' of a generator", word);
        else if (strcmp(in->kind, "const") == 0)
            in->value = v;
        else
            in->count = (uint64_t)v;
    }
    return true;
}

static bool read_run(const char *line, const char *entry, struct run *r) {
    memset(r, 0, sizeof *r);
    r->options = (struct whorl_compile_options)WHORL_COMPILE_OPTIONS_INIT;
    char text[1024], *words[64], *save = NULL;
    uint32_t count = 0, defines = 0;
    snprintf(text, sizeof text, "%s", line);
    for (char *w = strtok_r(text, " ", &save); w && count < 64; w = strtok_r(NULL, " ", &save))
        words[count++] = w;
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(words[i], "-fdouble=float") == 0) {
            r->options.double_as_float = true;
        } else if (strcmp(words[i], "-fint64=int32") == 0) {
            r->options.int64_as_int32 = true;
        } else if (strncmp(words[i], "-D", 2) == 0 && defines < MAX_INPUTS) {
            snprintf(r->define_text[defines], sizeof r->define_text[0], "%s", words[i] + 2);
            r->defines[defines] = r->define_text[defines];
            defines++;
        } else if (strcmp(words[i], "-i") == 0 && i + 1 < count && r->input_count < MAX_INPUTS) {
            if (!read_input(words[++i], &r->inputs[r->input_count++]))
                return false;
        } else {
            return fail("unknown word '%s' in a test line", words[i]);
        }
    }
    for (uint32_t i = 0; i < r->input_count; i++) {
        const struct input *in = &r->inputs[i];
        if (!*in->kind)
            r->scalars[r->options.scalar_count++] = (struct whorl_scalar){in->name, in->value};
        else if (in->count)
            r->shapes[r->options.shape_count++] = (struct whorl_shape){in->name, 1, {in->count}};
    }
    r->options.scalars = r->scalars;
    r->options.shapes = r->shapes;
    r->options.defines = r->defines;
    r->options.define_count = defines;
    r->options.entry = *entry ? entry : NULL;
    return true;
}

// ---- values -----------------------------------------------------------------------------------------------------------------------

static void store(uint8_t *at, enum ir_elem elem, double v) {
    switch (elem) {
    case IR_ELEM_F32: *(float *)at = (float)v; break;
    case IR_ELEM_F16: *(uint16_t *)at = base_f32_to_f16((float)v); break;
    case IR_ELEM_I32: *(int32_t *)at = (int32_t)v; break;
    case IR_ELEM_U32: *(uint32_t *)at = (uint32_t)(int64_t)v; break;
    case IR_ELEM_I16: case IR_ELEM_U16: *(uint16_t *)at = (uint16_t)(int64_t)v; break;
    case IR_ELEM_I8: case IR_ELEM_U8: *at = (uint8_t)(int64_t)v; break;
    case IR_ELEM_BOOL: *at = v != 0; break;
    }
}

static double fetch(const uint8_t *at, enum ir_elem elem) {
    switch (elem) {
    case IR_ELEM_F32: return *(const float *)at;
    case IR_ELEM_F16: return base_f16_to_f32(*(const uint16_t *)at);
    case IR_ELEM_I32: return *(const int32_t *)at;
    case IR_ELEM_U32: return *(const uint32_t *)at;
    case IR_ELEM_I16: return *(const int16_t *)at;
    case IR_ELEM_U16: return *(const uint16_t *)at;
    case IR_ELEM_I8: return *(const int8_t *)at;
    case IR_ELEM_U8: case IR_ELEM_BOOL: return *at;
    }
    return 0;
}

static double generated(const struct input *in, uint64_t i) {
    if (strcmp(in->kind, "arange") == 0)
        return (double)i;
    if (strcmp(in->kind, "const") == 0)
        return in->value;
    if (strcmp(in->kind, "uniform") != 0)
        return 0;
    uint64_t z = (i + 1 + in->seed * 1000003u) * 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return in->lo + (in->hi - in->lo) * ((double)(z >> 40) / 16777216.0);
}

// One set of arrays of the entry, as the inputs say.
struct data {
    void *arrays[MAX_PARAMS];
    size_t size_bytes[MAX_PARAMS];
    uint64_t counts[MAX_PARAMS];
    uint64_t slots[MAX_PARAMS]; // scalars, 8 bytes each
};

static bool make_data(const struct ir_unit *u, const struct run *r, struct data *d) {
    memset(d, 0, sizeof *d);
    if (u->param_count > MAX_PARAMS)
        return fail("more than %d parameters", MAX_PARAMS);
    for (uint32_t i = 0; i < u->param_count; i++) {
        const struct ir_param *p = &u->params[i];
        memcpy(&d->slots[i], &p->bits, sizeof p->bits);
        if (!p->is_array)
            continue;
        const struct ir_array_info *a = &u->arrays[p->ref];
        d->counts[i] = 1;
        for (uint32_t k = 0; k < a->ndims; k++) {
            uint32_t bits = 0;
            if (!ir_is_const(u, a->dims[k], &bits))
                return fail("the size of '%s' is not known", p->name);
            d->counts[i] *= bits;
        }
        uint32_t each = ir_elem_size(a->elem);
        d->size_bytes[i] = d->counts[i] * each;
        d->arrays[i] = calloc(d->size_bytes[i] + 1, 1);
        for (uint32_t k = 0; k < r->input_count; k++)
            if (strcmp(r->inputs[k].name, p->name) == 0)
                for (uint64_t e = 0; e < d->counts[i]; e++)
                    store((uint8_t *)d->arrays[i] + e * each, a->elem, generated(&r->inputs[k], e));
    }
    return true;
}

static void free_data(struct data *d) {
    for (uint32_t i = 0; i < MAX_PARAMS; i++)
        free(d->arrays[i]);
}

static bool same(const struct expectation *x, const struct ir_unit *u, const struct data *want, const struct data *got, const char *what) {
    for (uint32_t i = 0; i < u->param_count; i++) {
        if (!u->params[i].is_array)
            continue;
        const char *name = u->params[i].name;
        enum ir_elem elem = u->arrays[u->params[i].ref].elem;
        const struct check *c = NULL;
        for (uint32_t k = 0; k < x->check_count; k++)
            if (!*x->checks[k].name || strcmp(x->checks[k].name, name) == 0)
                c = &x->checks[k];
        bool exact = !c || strcmp(c->kind, "exact") == 0;
        uint32_t each = ir_elem_size(elem);
        for (uint64_t e = 0; e < want->counts[i]; e++) {
            const uint8_t *p = (const uint8_t *)want->arrays[i] + e * each, *q = (const uint8_t *)got->arrays[i] + e * each;
            double a = fetch(p, elem), b = fetch(q, elem), off = fabs(a - b);
            bool equal = exact ? memcmp(p, q, each) == 0 : strcmp(c->kind, "rel") == 0 ? off <= c->limit * fabs(a) : off <= c->limit;
            if (!equal)
                return fail("%s: %s[%llu] is %.9g, cc says %.9g", what, name, (unsigned long long)e, b, a);
        }
    }
    return true;
}

// ---- the ways to run ----------------------------------------------------------------------------------------------------------------

// Compiles a C file that ends in whorl_call and calls that.
static bool run_cc(const char *c_path, const char *flags, struct data *d, const char *what) {
    static int serial;
    char so[300], command[2048], log[300], first[400] = "";
    snprintf(so, sizeof so, "%s/p%d.so", work_dir, serial++);
    snprintf(log, sizeof log, "%s/log", work_dir);
    snprintf(command, sizeof command, "%s %s -shared -fPIC -o %s %s -lm > %s 2>&1", cc, flags, so, c_path, log);
    if (system(command) != 0) {
        FILE *f = fopen(log, "r");
        while (f && fgets(first, sizeof first, f) && !strstr(first, "error"))
            ;
        if (f)
            fclose(f);
        return fail("%s: cc refuses it: %s", what, first);
    }
    void *library = dlopen(so, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return fail("%s: %s", what, dlerror());
    void (*call)(void **, const void *);
    *(void **)&call = dlsym(library, "whorl_call");
    if (!call)
        return fail("%s: no whorl_call", what);
    call(d->arrays, d->slots);
    unlink(so);
    return true;
}

static bool run_original(const char *path, const struct ir_unit *u, const struct run *r, struct data *d) {
    char wrapper[300], full[4096], flags[2048] = "";
    if (!realpath(path, full))
        return fail("no such file");
    snprintf(wrapper, sizeof wrapper, "%s/wrapper.c", work_dir);
    FILE *f = fopen(wrapper, "w");
    if (!f)
        return fail("cannot write %s", wrapper);
    fprintf(f, "#include \"%s\"\nvoid whorl_call(void **a, const void *s);\nvoid whorl_call(void **a, const void *s) {\n", full);
    fprintf(f, "    const unsigned char *slots = s;\n    (void)a, (void)slots;\n    %s(", u->entry);
    static const char *const names[] = {[IR_BOOL] = "_Bool", [IR_I32] = "int", [IR_U32] = "unsigned", [IR_F32] = "float"};
    for (uint32_t i = 0; i < u->param_count; i++)
        if (u->params[i].is_array)
            fprintf(f, "%sa[%u]", i ? ", " : "", i);
        else
            fprintf(f, "%s*(const %s *)(slots + %u)", i ? ", " : "", names[u->params[i].type], i * 8);
    fprintf(f, ");\n}\n");
    fclose(f);
    for (size_t i = 0; i < r->options.define_count; i++)
        snprintf(flags + strlen(flags), sizeof flags - strlen(flags), " -D%s", r->defines[i]);
    return run_cc(wrapper, flags, d, "cc");
}

static bool run_printed(const char *c_text, struct data *d) {
    char path[300];
    snprintf(path, sizeof path, "%s/printed.c", work_dir);
    FILE *f = fopen(path, "w");
    if (!f)
        return fail("cannot write %s", path);
    fputs(c_text, f);
    fclose(f);
    return run_cc(path, "-w", d, "printed C");
}

static bool run_interpreter(const struct ir_unit *u, struct data *d, const char *what) {
    struct whorl_error err;
    struct ir_interp_options o = {.arrays = d->arrays, .size_bytes = d->size_bytes, .max_steps = 200000000};
    if (ir_interpret(u, &o, &err) != WHORL_OK)
        return fail("%s: %u:%u: %s", what, err.line, err.col, err.message);
    return true;
}

// ---- one file -----------------------------------------------------------------------------------------------------------------------

// Errors of rendered diagnostics, "LINE:COL: text", against those that the file names.
static bool check_errors(const char *rendered, const struct expectation *x) {
    uint32_t seen = 0;
    for (const char *at = rendered; *at;) {
        size_t n = strcspn(at, "\n");
        char line[1024];
        snprintf(line, sizeof line, "%.*s", (int)(n < 1000 ? n : 1000), at);
        at += n + (at[n] == '\n');
        char *error = strstr(line, ": error: ");
        if (!error || line[0] == ' ')
            continue;
        if (seen == x->error_count)
            return fail("one error more than it names: %s", line);
        unsigned long want_line, want_col, got_line = 0, got_col = 0;
        char *text, *end;
        want_line = strtoul(x->errors[seen], &end, 10);
        want_col = strtoul(end + 1, &end, 10);
        text = end + 2;
        *error = 0;
        char *col = strrchr(line, ':');
        if (col && col != line) {
            got_col = strtoul(col + 1, NULL, 10);
            *col = 0;
            char *row = strrchr(line, ':');
            got_line = row ? strtoul(row + 1, NULL, 10) : 0;
        }
        if (got_line != want_line || got_col != want_col || !strstr(error + 9, text))
            return fail("wants '%s', got %lu:%lu: %s", x->errors[seen], got_line, got_col, error + 9);
        seen++;
    }
    return seen == x->error_count ? true : fail("error not given: %s", x->errors[seen]);
}

static bool check_refused(const char *path, const struct expectation *x, const struct run *r) {
    whorl_program *program = NULL;
    struct whorl_error err;
    enum whorl_status status = whorl_compile(path, NULL, &r->options, &program, &err);
    if (status == WHORL_OK) {
        whorl_program_destroy(program);
        return fail("compiled, but wants: %s", x->errors[0]);
    }
    if (status != WHORL_SOURCE && status != WHORL_UNSUPPORTED)
        return fail("%s: %s", whorl_status_name(status), err.message);
    return check_errors(err.message, x);
}

static bool judge(struct base_cx *cx, const char *path, const struct expectation *x, struct run *r, struct data *want, struct data *got) {
    if (setjmp(cx->bail) != 0)
        return fail("does not compile:\n%s", cx->status == WHORL_MEMORY ? "out of memory" : base_render_diags(cx));
    struct front_options fo = {.path = path, .user = &r->options};
    struct front_result front = front_compile(cx, &fo);
    base_check_errors(cx);
    ir_check(front.unit, "lowering");
    pass_check_races(front.unit);
    base_check_errors(cx);
    if (!make_data(front.unit, r, want) || !run_original(path, front.unit, r, want))
        return false;
    static const struct {
        const char *name;
        int goal; // -1: as lowered, -2: printed C
    } ways[] = {{"printed C", -2}, {"lowered", -1}, {"eager", PASS_EAGER}, {"steps", PASS_STEPS}, {"single", PASS_SINGLE}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        free_data(got);
        if (!make_data(front.unit, r, got))
            return false;
        struct ir_unit *u = front.unit;
        if (ways[i].goal >= 0) {
            u = ir_unit_clone(front.unit);
            struct base_text explain;
            base_text_init(&explain, cx);
            struct pass_cx p = {.u = u, .profile = &plan_base_profile, .explain = &explain, .eager = ways[i].goal == PASS_EAGER};
            pass_run(&p, (enum pass_goal)ways[i].goal, NULL, NULL);
        }
        if (!(ways[i].goal == -2 ? run_printed(front.c_text, got) : run_interpreter(u, got, ways[i].name)) ||
            !same(x, front.unit, want, got, ways[i].name))
            return false;
    }
    return true;
}

static bool check_accepted(const char *path, const struct expectation *x, struct run *r) {
    struct whorl_error err;
    whorl_program *program = NULL;
    struct base_cx *cx = calloc(1, sizeof *cx);
    struct data want = {0}, got = {0};
    base_cx_init(cx);
    bool good = judge(cx, path, x, r, &want, &got);
    base_cx_deinit(cx);
    free(cx);
    free_data(&want);
    free_data(&got);
    if (!good)
        return false;
    r->options.want_eager = true;
    if (whorl_compile(path, NULL, &r->options, &program, &err) != WHORL_OK)
        return fail("no plan: %s", err.message);
    const char *warnings = whorl_program_text(program, WHORL_TEXT_WARNINGS);
    good = !strstr(warnings, "race") || fail("warned: %s", warnings);
    whorl_program_destroy(program);
    return good;
}

static bool test_file(const char *path) {
    static struct expectation x;
    static struct run r;
    if (!read_expectation(path, &x))
        return false;
    return read_run(x.test, x.entry, &r) && (x.error_count ? check_refused(path, &x, &r) : check_accepted(path, &x, &r));
}

int main(int argc, char **argv) {
    int failed = 0;
    if (!mkdtemp(work_dir))
        return 2;
    setenv("OMP_NUM_THREADS", "3", 0);
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--cc") == 0 && i + 1 < argc) {
            cc = argv[++i];
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
