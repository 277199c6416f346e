// `whorl devices --math`: the functions of math.h as a device computes them, against libm.
//
// Each function is measured through the whole of whorl: a C program that applies it to an array is compiled and run, as
// a user's would be. What was found is kept beside the other measurements of the device, for `whorl devices` to show.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "commands.h"
#include "math_cache.h"
#include "math_judge.h"
#include "npy.h"
#include "outcome.h"

struct row {
    const struct math_function *f;
    size_t count, judged, wrong, flushed;
    double worst_ulp, mean_ulp; // the mean is over the working range
    float worst_at[MATH_MOST_ARITY], wrong_at[MATH_MOST_ARITY], wrong_got;
    double wrong_want;
};

// ---- measuring ----

static void program_text(const struct math_function *f, char *out, size_t size) {
    snprintf(out, size,
             "#include <math.h>\n"
             "void apply(int n, const float x[n]%s%s, float out[n]) {\n"
             "#pragma omp parallel for\n"
             "    for (int i = 0; i < n; i++)\n"
             "        out[i] = %s;\n"
             "}\n",
             f->arity > 1 ? ", const float y[n]" : "", f->arity > 2 ? ", const float z[n]" : "", f->expression);
}

static enum whorl_status apply(whorl_device *device, const struct math_function *f, float *const args[MATH_MOST_ARITY],
                               size_t count, float *out, struct whorl_error *err) {
    char text[512], name[64];
    program_text(f, text, sizeof text);
    snprintf(name, sizeof name, "%s.c", f->name);
    struct whorl_scalar n = {"n", (double)count};
    struct whorl_compile_options options = WHORL_COMPILE_OPTIONS_INIT;
    options.scalars = &n;
    options.scalar_count = 1;
    whorl_program *program;
    enum whorl_status status = whorl_compile(name, text, &options, &program, err);
    if (status != WHORL_OK) return status;
    void *arrays[2 + MATH_MOST_ARITY] = {NULL};
    size_t sizes[2 + MATH_MOST_ARITY] = {0};
    for (int k = 0; k <= f->arity; k++) {
        arrays[1 + k] = k < f->arity ? args[k] : out;
        sizes[1 + k] = count * sizeof(float);
    }
    status = whorl_run(device, program, arrays, sizes, NULL, NULL, err);
    whorl_program_destroy(program);
    return status;
}

static void judge_all(struct row *row, float *const args[MATH_MOST_ARITY], const float *out, size_t even) {
    double sum = 0;
    size_t summed = 0;
    for (size_t i = 0; i < row->count; i++) {
        float a[MATH_MOST_ARITY] = {0};
        for (int k = 0; k < row->f->arity; k++)
            a[k] = args[k][i];
        struct math_verdict v = math_judge(row->f, a, out[i]);
        if (!v.judged) continue;
        row->judged++;
        row->flushed += v.flushed;
        if (v.wrong && row->wrong++ == 0) {
            memcpy(row->wrong_at, a, sizeof a);
            row->wrong_got = out[i];
            row->wrong_want = v.want;
        }
        if (v.ulp > row->worst_ulp) {
            row->worst_ulp = v.ulp;
            memcpy(row->worst_at, a, sizeof a);
        }
        if (i >= even) {
            sum += v.ulp;
            summed++;
        }
    }
    row->mean_ulp = summed ? sum / (double)summed : 0;
}

// `memory` holds the arguments and the results, MATH_MOST_ARGUMENTS each.
static enum whorl_status measure(whorl_device *device, float *memory, struct row *row, struct whorl_error *err) {
    float *args[MATH_MOST_ARITY], *out = memory + MATH_MOST_ARITY * (size_t)MATH_MOST_ARGUMENTS;
    size_t even;
    for (int k = 0; k < MATH_MOST_ARITY; k++)
        args[k] = memory + (size_t)k * MATH_MOST_ARGUMENTS;
    row->count = math_arguments(row->f, args, &even);
    enum whorl_status status = apply(device, row->f, args, row->count, out, err);
    if (status == WHORL_OK) judge_all(row, args, out, even);
    return status;
}

// The bounds are whorl's own; a CPU computes with its libm.
static bool is_above(const struct row *row, const struct whorl_device_info *info) {
    return !info->is_cpu && row->worst_ulp > row->f->bound_ulp;
}

// ---- printing ----

static void arguments_text(const struct row *row, const float *at, char *out, size_t size) {
    size_t used = 0;
    out[0] = 0;
    for (int k = 0; k < row->f->arity && used < size; k++)
        used += (size_t)snprintf(out + used, size - used, "%s%.9g", k ? ", " : "", (double)at[k]);
}

static void print_row(const struct row *row, const struct whorl_device_info *info) {
    char at[80];
    arguments_text(row, row->worst_at, at, sizeof at);
    printf("  %-11s %7.2f  %7.3f  %5.1f  %6zu  %s\n", row->f->name, row->worst_ulp, row->mean_ulp, row->f->bound_ulp,
           row->wrong, row->worst_ulp > 0 ? at : "");
    if (row->wrong) {
        arguments_text(row, row->wrong_at, at, sizeof at);
        printf("  %s%11s wrong first at (%s): %.9g instead of %.9g%s\n", cli_style(stdout, CLI_RED), "", at,
               (double)row->wrong_got, row->wrong_want, cli_style(stdout, CLI_PLAIN));
    }
    if (is_above(row, info))
        printf("  %s%11s above the bound of docs/math.md%s\n", cli_style(stdout, CLI_RED), "",
               cli_style(stdout, CLI_PLAIN));
}

static void print_head(const struct whorl_device_info *info) {
    char words[300], count[32];
    cli_device_words(info, words, sizeof words);
    printf("math.h on %s%s%s\n%s%s%s\n", cli_style(stdout, CLI_BOLD), words, cli_style(stdout, CLI_PLAIN),
           info->library, *info->driver ? "; " : "", info->driver);
    printf("%s and more arguments a function; errors in units in the last place, 0.5 is correctly rounded\n\n",
           cli_thousands(MATH_SWEEP, count));
    printf("  %-11s %7s  %7s  %5s  %6s  %s\n", "function", "worst", "mean", "bound", "wrong", "worst at");
}

// ---- JSON ----

static void add_row(yyjson_mut_doc *doc, yyjson_mut_val *list, const struct row *row) {
    char at[80];
    yyjson_mut_val *one = yyjson_mut_arr_add_obj(doc, list);
    yyjson_mut_obj_add_str(doc, one, "name", row->f->name);
    yyjson_mut_val *range = yyjson_mut_obj_add_arr(doc, one, "working_range");
    for (int k = 0; k < row->f->arity && k < 2; k++) {
        yyjson_mut_arr_add_real(doc, range, row->f->low[k]);
        yyjson_mut_arr_add_real(doc, range, row->f->high[k]);
    }
    yyjson_mut_obj_add_real(doc, one, "bound_ulp", row->f->bound_ulp);
    yyjson_mut_obj_add_real(doc, one, "worst_ulp", row->worst_ulp);
    arguments_text(row, row->worst_at, at, sizeof at);
    yyjson_mut_obj_add_strcpy(doc, one, "worst_at", at);
    yyjson_mut_obj_add_real(doc, one, "mean_ulp", row->mean_ulp);
    yyjson_mut_obj_add_uint(doc, one, "arguments", row->count);
    yyjson_mut_obj_add_uint(doc, one, "judged", row->judged);
    yyjson_mut_obj_add_uint(doc, one, "flushed", row->flushed);
    yyjson_mut_obj_add_uint(doc, one, "wrong", row->wrong);
    if (row->wrong == 0) return;
    arguments_text(row, row->wrong_at, at, sizeof at);
    yyjson_mut_obj_add_strcpy(doc, one, "wrong_at", at);
    snprintf(at, sizeof at, "%.9g", (double)row->wrong_got); // as text: JSON knows neither NaN nor infinity
    yyjson_mut_obj_add_strcpy(doc, one, "wrong_got", at);
    snprintf(at, sizeof at, "%.9g", row->wrong_want);
    yyjson_mut_obj_add_strcpy(doc, one, "wrong_want", at);
}

// "wgpu-native 29.0.1.1": where it lies says nothing of how it computes.
static void library_name(const struct whorl_device_info *info, char *out, size_t size) {
    snprintf(out, size, "%.*s", (int)strcspn(info->library, "("), info->library);
    for (size_t end = strlen(out); end && out[end - 1] == ' ';)
        out[--end] = 0;
}

static yyjson_mut_doc *make_json(const struct whorl_device_info *info, const struct row *rows) {
    yyjson_mut_doc *doc = json_create("devices --math", NULL);
    if (!doc) return NULL;
    yyjson_mut_val *root = yyjson_mut_doc_get_root(doc);
    char date[32], library[sizeof info->library];
    library_name(info, library, sizeof library);
    time_t now = time(NULL);
    struct tm utc;
    strftime(date, sizeof date, "%Y-%m-%d", gmtime_r(&now, &utc));
    yyjson_mut_obj_add_strcpy(doc, root, "measured", date);
    yyjson_mut_val *device = yyjson_mut_obj_add_obj(doc, root, "device");
    yyjson_mut_obj_add_strcpy(doc, device, "name", info->name);
    yyjson_mut_obj_add_strcpy(doc, device, "library", library);
    yyjson_mut_obj_add_strcpy(doc, device, "driver", info->driver);
    yyjson_mut_obj_add_strcpy(doc, device, "backend", info->backend);
    yyjson_mut_obj_add_bool(doc, device, "is_software", info->is_software);
    yyjson_mut_val *list = yyjson_mut_obj_add_arr(doc, root, "functions");
    for (size_t i = 0; i < math_function_count; i++)
        add_row(doc, list, &rows[i]);
    return doc;
}

// ---- the cache ----

enum { MOST_CACHE_BYTES = 256 << 10 };

// $XDG_CACHE_HOME/whorl/math-HASH.json, where the device's other measurements are.
static bool cache_path(const struct whorl_device_info *info, char *out, size_t size) {
    char library[sizeof info->library];
    library_name(info, library, sizeof library);
    const char *keys[] = {info->name, info->driver, library, info->backend, whorl_version()};
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    bool has_cache = cache && *cache == '/';
    uint64_t hash = BASE_HASH_START;
    if (!has_cache && !(home && *home == '/')) return false;
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        hash = base_hash(hash, keys[k], strlen(keys[k]) + 1);
    int used = snprintf(out, size, "%s%s/whorl", has_cache ? cache : home, has_cache ? "" : "/.cache");
    if (used < 0 || (size_t)used + 40 > size || base_make_dirs(out, NULL) != WHORL_OK) return false;
    snprintf(out + used, size - (size_t)used, "/math-%016llx.json", (unsigned long long)hash);
    return true;
}

static bool is_text(yyjson_val *object, const char *key, const char *text) {
    const char *value = yyjson_get_str(yyjson_obj_get(object, key));
    return value && strcmp(value, text) == 0;
}

static bool take_summary(yyjson_val *root, const struct whorl_device_info *info, struct cli_math *out) {
    yyjson_val *device = yyjson_obj_get(root, "device"), *list = yyjson_obj_get(root, "functions"), *one;
    const char *measured = yyjson_get_str(yyjson_obj_get(root, "measured"));
    char library[sizeof info->library];
    library_name(info, library, sizeof library);
    if (!is_text(root, "whorl", whorl_version()) || !is_text(device, "name", info->name) ||
        !is_text(device, "driver", info->driver) || !is_text(device, "library", library) || !measured)
        return false;
    *out = (struct cli_math){.worst_ulp = -1};
    snprintf(out->measured, sizeof out->measured, "%s", measured);
    size_t index, count;
    yyjson_arr_foreach(list, index, count, one) {
        const char *name = yyjson_get_str(yyjson_obj_get(one, "name"));
        double worst = yyjson_get_num(yyjson_obj_get(one, "worst_ulp"));
        if (!name) return false;
        out->wrong += yyjson_get_uint(yyjson_obj_get(one, "wrong"));
        if (!(worst > out->worst_ulp)) continue;
        out->worst_ulp = worst;
        snprintf(out->function, sizeof out->function, "%s", name);
    }
    return out->worst_ulp >= 0;
}

bool cli_math_cached(const struct whorl_device_info *info, struct cli_math *out) {
    char path[1024], *text;
    size_t size;
    if (!cache_path(info, path, sizeof path) || !base_sealed_read(path, MOST_CACHE_BYTES, &text, &size, NULL))
        return false;
    yyjson_doc *doc = yyjson_read(text, size, 0);
    bool ok = doc && take_summary(yyjson_doc_get_root(doc), info, out);
    yyjson_doc_free(doc);
    base_heap_free(text);
    return ok;
}

static void keep(const struct whorl_device_info *info, const struct row *rows) {
    char path[1024];
    size_t size = 0;
    yyjson_mut_doc *doc = cache_path(info, path, sizeof path) ? make_json(info, rows) : NULL;
    char *text = doc ? yyjson_mut_write(doc, YYJSON_WRITE_PRETTY | YYJSON_WRITE_NEWLINE_AT_END, &size) : NULL;
    if (text) (void)base_sealed_write(path, text, size, NULL);
    free(text);
    yyjson_mut_doc_free(doc);
}

// ---- the command ----

static enum cli_exit finish(const struct cli_options *options, const struct whorl_device_info *info,
                            const struct row *rows) {
    struct whorl_error err = {0};
    size_t bad = 0;
    for (size_t i = 0; i < math_function_count; i++)
        bad += rows[i].wrong || is_above(&rows[i], info);
    if (!options->quiet && bad == 0)
        printf("\n%s\n", info->is_cpu ? "the bounds are for GPUs" : "all within the bounds of docs/math.md");
    if (bad) cli_error("%zu of %zu functions have larger errors than docs/math.md promises", bad, math_function_count);
    keep(info, rows);
    if (options->json && json_write(make_json(info, rows), options->json, &err) != WHORL_OK) return cli_report(&err);
    return bad ? CLI_WRONG : CLI_OK;
}

enum cli_exit cli_math(const struct cli_options *options) {
    struct whorl_error err = {0};
    whorl_device *device;
    if (cli_open(options, options->device ? options->device : "gpu", &device, &err) != WHORL_OK)
        return cli_report(&err);
    const struct whorl_device_info *info = whorl_device_get_info(device);
    struct row *rows = calloc(math_function_count, sizeof *rows);
    float *memory = calloc((size_t)MATH_MOST_ARGUMENTS * (MATH_MOST_ARITY + 1), sizeof *memory);
    enum whorl_status status = WHORL_OK;
    if (!rows || !memory) status = base_set_error(&err, WHORL_MEMORY, "data", "out of memory");
    if (status == WHORL_OK && !options->quiet) print_head(info);
    for (size_t i = 0; i < math_function_count && status == WHORL_OK; i++) {
        rows[i].f = &math_functions[i];
        status = measure(device, memory, &rows[i], &err);
        if (status == WHORL_OK && !options->quiet) print_row(&rows[i], info);
        (void)cli_push();
    }
    enum cli_exit code = status == WHORL_OK ? finish(options, info, rows) : cli_report(&err);
    free(memory);
    free(rows);
    whorl_device_destroy(device);
    return code;
}
