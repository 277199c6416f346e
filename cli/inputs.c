// From `-i NAME=VALUE` and `// run:` to a compiled program and its arrays. The order is forced: names and types first
// (inspect), then scalars and sizes, then the compile that needs them, then the arrays whose shapes the compile knows.
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/dtype.h"
#include "guard.h"
#include "inputs.h"

static enum whorl_status no_memory(struct whorl_error *err) {
    return base_set_error(err, WHORL_MEMORY, "data", "out of memory");
}

const struct job_input *job_find_input(const struct job *job, const char *name) {
    for (size_t i = 0; i < job->input_count; i++)
        if (strcmp(job->inputs[i].name, name) == 0) return &job->inputs[i];
    return NULL;
}

// ---- FILE[:FUNCTION] ----

static enum whorl_status split_path(struct job *job, const char *file, struct whorl_error *err) {
    job->path = strdup(file);
    if (!job->path) return no_memory(err);
    char *colon = strrchr(job->path, ':');
    if (!colon || access(file, F_OK) == 0 || !(isalpha((unsigned char)colon[1]) || colon[1] == '_')) return WHORL_OK;
    *colon = 0;
    job->entry = colon + 1;
    return WHORL_OK;
}

// ---- the texts ----

static enum whorl_status add_input(struct job *job, const char *item, const char *from, struct whorl_error *err) {
    const char *equals = strchr(item, '=');
    if (!equals || equals == item || !equals[1])
        return base_set_error(err, WHORL_INVALID, strcmp(from, "-i") == 0 ? "call" : "data",
                              "%s %s: an input is NAME=VALUE, as in -i n=4096 or -i x=@x.npy", from, item);
    struct job_input *input = &job->inputs[job->input_count];
    char *name = strndup(item, (size_t)(equals - item));
    if (!name) return no_memory(err);
    for (size_t i = 0; i < job->input_count; i++)
        if (strcmp(job->inputs[i].name, name) == 0) { // the one said later wins
            free((char *)job->inputs[i].name);
            input = &job->inputs[i];
        }
    job->input_count += input == &job->inputs[job->input_count];
    *input = (struct job_input){.name = name, .text = equals + 1, .from = from};
    return WHORL_OK;
}

// The file's defaults first, so that the command line replaces them.
static enum whorl_status merge(struct job *job, struct whorl_error *err) {
    const struct cli_options *o = job->options;
    struct directives *d = &job->directives;
    bool use_test = o->test && d->has_test;
    const struct cli_options *said = use_test ? &d->test : &d->run;
    if (o->test && !d->has_test)
        return base_set_error(err, WHORL_INVALID, "data",
                              "%s has no `// test:` line; leave --test out or give the inputs with -i", job->path);
    job->inputs = calloc(said->inputs.count + o->inputs.count + 1, sizeof *job->inputs);
    if (!job->inputs) return no_memory(err);
    for (size_t i = 0; i < said->inputs.count; i++) {
        enum whorl_status status = add_input(job, said->inputs.items[i], use_test ? "// test:" : "// run:", err);
        if (status != WHORL_OK) return status;
    }
    for (size_t i = 0; i < o->inputs.count; i++) {
        enum whorl_status status = add_input(job, o->inputs.items[i], "-i", err);
        if (status != WHORL_OK) return status;
    }
    for (size_t i = 0; i < said->defines.count; i++)
        cli_list_add(&job->defines, said->defines.items[i]);
    for (size_t i = 0; i < o->defines.count; i++)
        cli_list_add(&job->defines, o->defines.items[i]);
    for (size_t i = 0; i < said->uniforms.count; i++)
        cli_list_add(&job->uniforms, said->uniforms.items[i]);
    for (size_t i = 0; i < o->uniforms.count; i++)
        cli_list_add(&job->uniforms, o->uniforms.items[i]);
    bool chosen = o->double_as_float || o->double_as_pair; // the command line wins
    job->double_as_float = o->double_as_float || (said->double_as_float && !chosen);
    job->double_as_pair = o->double_as_pair || (said->double_as_pair && !chosen);
    job->int64_as_int32 = o->int64_as_int32 || said->int64_as_int32;
    job->keep_order = o->keep_order || said->keep_order;
    if (!job->entry) job->entry = (char *)d->entry;
    return WHORL_OK;
}

// ---- values against parameters ----

static enum whorl_status take_number(struct job_input *in, const struct whorl_param *p, struct whorl_error *err) {
    const char *text = in->text;
    char *end;
    if (p->dtype == WHORL_BOOL && (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)) {
        in->number = text[0] == 't';
        return WHORL_OK;
    }
    if (text[0] == '@' || (generator_is(text) && strncmp(text, "inf", 3) != 0 && strncmp(text, "nan", 3) != 0))
        return base_set_error(err, WHORL_INVALID, "data",
                              "%s %s=%s: `%s` is a scalar (%s) and takes a number, as in -i %s=%s", in->from, in->name,
                              text, in->name, whorl_dtype_name(p->dtype), in->name,
                              base_dtype_is_float(p->dtype) ? "0.5" : "1024");
    errno = 0;
    in->number = strtod(text, &end);
    if (end == text || *end)
        return base_set_error(err, WHORL_INVALID, "data", "%s %s=%s: `%s` is no number%s", in->from, in->name, text,
                              text, strchr(text, '=') ? "; each input has an -i of its own" : "");
    if (base_dtype_is_float(p->dtype)) {
        float value = (float)in->number;
        if (isinf(value) && !isinf(in->number))
            return base_set_error(err, WHORL_INVALID, "data", "%s %s=%s: too large for a float", in->from, in->name,
                                  text);
        if (p->dtype != WHORL_F64) in->number = (double)value;
        return WHORL_OK;
    }
    if (base_dtype_is_long(p->dtype)) {
        if (!(fabs(in->number) <= 0x1p53) || in->number != floor(in->number) ||
            (p->dtype == WHORL_U64 && in->number < 0))
            return base_set_error(err, WHORL_INVALID, "data",
                                  "%s %s=%s: `%s` is an integer from %s to 2^53; for larger ones pass an array of one "
                                  "element, or two halves",
                                  in->from, in->name, text, in->name, p->dtype == WHORL_U64 ? "0" : "-2^53");
        return WHORL_OK;
    }
    double low = p->dtype == WHORL_I32 ? INT32_MIN : 0, high = p->dtype == WHORL_I32    ? INT32_MAX
                                                               : p->dtype == WHORL_BOOL ? 1
                                                                                        : UINT32_MAX;
    if (!(in->number >= low && in->number <= high) || in->number != floor(in->number))
        return base_set_error(err, WHORL_INVALID, "data", "%s %s=%s: `%s` is an integer from %.0f to %.0f", in->from,
                              in->name, text, in->name, low, high);
    return WHORL_OK;
}

// Behind all scalars, which generators may name.
static enum whorl_status take_array(const struct job *job, struct job_input *in, const struct whorl_param *p,
                                    struct whorl_error *err) {
    if (in->text[0] == '@') {
        in->kind = INPUT_FILE;
        enum whorl_status status = npy_read(in->text + 1, &in->npy, &in->data, err);
        if (status != WHORL_OK || in->npy.dtype == p->dtype) return status;
        char got[160];
        npy_describe(in->npy.dtype, in->npy.ndims, in->npy.dims, got, sizeof got);
        return base_set_error(err, WHORL_INVALID, "data",
                              "%s: `%s` expects elements of type %s, the file holds %s; save it as a.astype('%s')",
                              in->text + 1, in->name, whorl_dtype_name(p->dtype), got, base_dtype(p->dtype)->npy);
    }
    char *end;
    if (strtod(in->text, &end), end != in->text && !*end) // one number is for a scalar, or meant for all elements
        return base_set_error(err, WHORL_INVALID, "data",
                              "%s %s=%s: `%s` is an array; give it as @FILE.npy, as values 1,2,3 or as const:%s",
                              in->from, in->name, in->text, in->name, in->text);
    in->kind = INPUT_GENERATOR;
    return generator_parse(in->name, in->text, job->scalars, job->scalar_count, &in->generator, err);
}

static enum whorl_status unknown_input(const whorl_program *program, const struct job_input *in,
                                       struct whorl_error *err) {
    size_t count = whorl_program_param_count(program), used = 0;
    const char *names[65];
    char list[1024] = "";
    if (count > 64) count = 64;
    for (size_t i = 0; i < count; i++) {
        names[i] = whorl_program_param(program, i)->name;
        if (used < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", names[i]);
    }
    names[count] = NULL;
    const char *close = cli_closest(in->name, names);
    return base_set_error(err, WHORL_INVALID, "data", "%s %s: there is no parameter `%s`; %s%s%sthe parameters are %s",
                          in->from, in->name, in->name, close ? "did you mean `" : "", close ? close : "",
                          close ? "`? " : "", list);
}

static enum whorl_status missing_input(const struct whorl_param *p, struct whorl_error *err) {
    if (p->is_array)
        return base_set_error(err, WHORL_INVALID, "data",
                              "missing input: `%s`, an array of %s; give it as -i %s=@%s.npy or -i %s=%s", p->name,
                              whorl_dtype_name(p->dtype), p->name, p->name, p->name,
                              base_dtype_is_float(p->dtype) ? "normal:seed=1" : "arange");
    return base_set_error(err, WHORL_INVALID, "data", "missing input: `%s`, a scalar of type %s; give it as -i %s=%s",
                          p->name, whorl_dtype_name(p->dtype), p->name, base_dtype_is_float(p->dtype) ? "0.5" : "1024");
}

// Reads every input by its parameter's type; scalars and sizes are then what the compile needs.
static enum whorl_status resolve(struct job *job, const whorl_program *inspected, struct whorl_error *err) {
    size_t count = whorl_program_param_count(inspected);
    job->scalars = calloc(count + 1, sizeof *job->scalars);
    job->shapes = calloc(count + 1, sizeof *job->shapes);
    if (!job->scalars || !job->shapes) return no_memory(err);
    for (size_t i = 0; i < job->input_count; i++) {
        bool found = false;
        for (size_t p = 0; p < count && !found; p++)
            found = strcmp(whorl_program_param(inspected, p)->name, job->inputs[i].name) == 0;
        if (!found) return unknown_input(inspected, &job->inputs[i], err);
    }
    for (int arrays = 0; arrays < 2;
         arrays++) // arrays by the scalars; a missing scalar is told before a large file is read
        for (size_t p = 0; p < count; p++) {
            const struct whorl_param *param = whorl_program_param(inspected, p);
            if (param->is_array != (arrays == 1)) continue;
            struct job_input *in = (struct job_input *)job_find_input(job, param->name);
            if (!in && (!param->is_array || !param->is_output)) return missing_input(param, err);
            if (!in) continue;
            enum whorl_status status = param->is_array ? take_array(job, in, param, err) : take_number(in, param, err);
            if (status != WHORL_OK) return status;
            if (!param->is_array) job->scalars[job->scalar_count++] = (struct whorl_scalar){in->name, in->number};
            uint32_t ndims = in->kind == INPUT_FILE        ? in->npy.ndims
                             : in->kind == INPUT_GENERATOR ? in->generator.ndims
                                                           : 0;
            if (param->is_array && ndims) { // only a parameter without a size of its own takes it from here
                struct whorl_shape *shape = &job->shapes[job->shape_count++];
                *shape = (struct whorl_shape){.name = in->name, .ndims = ndims};
                memcpy(shape->dims, in->kind == INPUT_FILE ? in->npy.dims : in->generator.dims,
                       ndims * sizeof *shape->dims);
            }
        }
    return WHORL_OK;
}

// ---- compiling ----

// What the command line says of the device wins over what is known of it.
static struct whorl_target target_of(const struct job *job, const whorl_device *device) {
    const struct cli_options *o = job->options;
    struct whorl_target t = {0};
    if (job->described)
        t = job->described->target;
    else if (device && !o->portable)
        t = whorl_device_get_info(device)->target;
    if (o->register_budget) t.register_words = (uint32_t)o->register_budget;
    if (o->subgroup) t.subgroup_lanes = (uint32_t)o->subgroup;
    if (o->workgroup_bytes) t.workgroup_bytes = (uint32_t)o->workgroup_bytes;
    t.coherent_memory |= o->coherent;
    t.float_atomics |= o->float_atomics;
    t.cpu_only |= o->strategy == WHORL_CPU || o->race;
    return t;
}

static struct whorl_compile_options compile_options(const struct job *job) {
    const struct cli_options *o = job->options;
    struct whorl_compile_options c = WHORL_COMPILE_OPTIONS_INIT;
    c.entry = job->entry;
    c.scalars = job->scalars;
    c.scalar_count = job->scalar_count;
    c.shapes = job->shapes;
    c.shape_count = job->shape_count;
    c.uniform = job->uniforms.items;
    c.uniform_count = job->uniforms.count;
    c.defines = job->defines.items;
    c.define_count = job->defines.count;
    c.include_dirs = o->include_dirs.items;
    c.include_dir_count = o->include_dirs.count;
    c.pass_off = o->pass_off;
    c.show_after = o->show_after;
    c.int64_as_int32 = job->int64_as_int32;
    c.double_as_float = job->double_as_float;
    c.double_as_pair = job->double_as_pair;
    c.fast_math = o->fast_math;
    c.keep_order = job->keep_order;
    c.workgroup_size = (uint32_t)o->workgroup_size;
    c.lanes = (uint32_t)o->lanes;
    c.beside = job->beside;
    return c;
}

static double now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

enum whorl_status job_open(const struct cli_options *options, struct job *job, struct whorl_error *err) {
    *job = (struct job){.options = options};
    guard_stage(GUARD_COMPILING);
    enum whorl_status status = split_path(job, options->files.items[0], err);
    if (status == WHORL_OK) status = directives_read(job->path, &job->directives, err);
    if (status == WHORL_OK) status = merge(job, err);
    if (status != WHORL_OK) return status;
    whorl_program *inspected = NULL;
    struct whorl_compile_options c = compile_options(job);
    status = whorl_inspect(job->path, job->directives.source, &c, &inspected, err);
    if (status == WHORL_OK) status = resolve(job, inspected, err);
    whorl_program_destroy(inspected);
    return status;
}

enum whorl_status job_compile(struct job *job, const whorl_device *device, struct whorl_error *err) {
    struct whorl_compile_options c = compile_options(job);
    c.target = target_of(job, device);
    guard_stage(GUARD_COMPILING);
    double start = now_ms();
    enum whorl_status status = whorl_compile(job->path, job->directives.source, &c, &job->program, err);
    job->compile_ms = now_ms() - start;
    return status;
}

enum whorl_status job_try_gpu(const struct job *job, struct whorl_error *err) {
    struct whorl_compile_options c = compile_options(job);
    whorl_program *program = NULL;
    c.show_after = NULL;
    enum whorl_status status = whorl_compile(job->path, job->directives.source, &c, &program, err);
    whorl_program_destroy(program);
    return status;
}

const char *job_kernels_hash(const struct job *job, char out[17]) {
    const char *text = whorl_program_text(job->program, WHORL_TEXT_WGSL);
    snprintf(out, 17, "%016llx", (unsigned long long)base_hash(BASE_HASH_START, text, strlen(text)));
    return out;
}

// ---- arrays ----

static enum whorl_status check_shape(const struct job_input *in, const struct whorl_param *p, struct whorl_error *err) {
    bool is_file = in->kind == INPUT_FILE;
    uint32_t ndims = is_file ? in->npy.ndims : in->generator.ndims;
    const uint64_t *dims = is_file ? in->npy.dims : in->generator.dims;
    if (!is_file && ndims == 0) return WHORL_OK;
    // a shape of structs, or of rows, is one of all that is in them; a list says each element
    bool same = ndims == p->ndims || (!is_file && in->generator.kind != GENERATE_LIST && ndims < p->ndims);
    for (uint32_t d = 0; d < ndims && same; d++)
        same = dims[d] == p->dims[d];
    uint64_t given = 1, wanted = 1; // `float *x` sees any shape as one row
    for (uint32_t d = 0; d < ndims; d++)
        given *= dims[d];
    for (uint32_t d = 0; d < p->ndims; d++)
        wanted *= p->dims[d];
    bool is_row = p->ndims == 1 && ndims != 1, is_list = !is_file && in->generator.kind == GENERATE_LIST;
    if (same || ((is_row || is_list) && given == wanted)) return WHORL_OK;
    char got[160], expected[160];
    npy_describe(p->dtype, ndims, dims, got, sizeof got);
    if (is_list) snprintf(got, sizeof got, "%llu elements", (unsigned long long)given);
    npy_describe(p->dtype, p->ndims, p->dims, expected, sizeof expected);
    return base_set_error(err, WHORL_INVALID, "data", "%s: `%s` expects %s, but %s %s",
                          is_file ? in->text + 1 : in->text, p->name, expected,
                          is_file ? "the file holds" : "this makes", got);
}

// The types that a struct's words may have. A double is two of them.
static const enum whorl_dtype word_types[] = {WHORL_F32, WHORL_I32, WHORL_U32, WHORL_F64};

// Structs with fields of several types: the generator runs once for each type, and word i takes number i of its own
// type's, a double that of its first word.
static enum whorl_status fill_words(const struct whorl_param *p, const struct generator *g, size_t count, uint32_t *out,
                                    struct whorl_error *err) {
    size_t words = (size_t)p->dims[p->ndims - 1];
    if (g->kind == GENERATE_LIST)
        return base_set_error(
            err, WHORL_INVALID, "data",
            "-i %s: the fields of `%s` are of several types, so its values come from a file or a generator", p->name,
            p->name);
    double *one = base_heap_alloc(count * sizeof *one + 1);
    enum whorl_status status = one ? WHORL_OK : no_memory(err);
    for (size_t t = 0; t < sizeof word_types / sizeof *word_types && status == WHORL_OK; t++) {
        enum whorl_dtype dtype = word_types[t];
        size_t each = whorl_dtype_size(dtype);
        bool any = false;
        const char *field = "";
        for (size_t w = 0; w < words; w++) {
            if (p->words[w] == dtype && !*field && p->word_names) field = p->word_names[w];
            any = any || p->words[w] == dtype;
        }
        if (any) status = generator_fill(p->name, g, dtype, count, one, err);
        if (any && status == WHORL_INVALID && *field) {
            char why[400];
            snprintf(why, sizeof why, "%.399s", err->message);
            status = base_set_error(err, WHORL_INVALID, "data", "%s: the field `%s` of `%s` is %s", why, field, p->name,
                                    whorl_dtype_name(dtype));
        }
        if (any && status == WHORL_INVALID && !*field) { // padding takes what there is
            memset(one, 0, count * each);
            status = WHORL_OK;
        }
        for (size_t i = 0; any && i < count && status == WHORL_OK; i++)
            if (p->words[i % words] == dtype && i % (each / 4) == 0)
                memcpy(&out[i], (const char *)one + i * each, each);
    }
    base_heap_free(one);
    return status;
}

static enum whorl_status fill_one(struct job *job, size_t index, struct whorl_error *err) {
    const struct whorl_param *p = whorl_program_param(job->program, index);
    size_t bytes = whorl_dtype_size(p->dtype);
    for (uint32_t d = 0; d < p->ndims; d++)
        if (p->dims[d] > SIZE_MAX || !base_mul_size(bytes, (size_t)p->dims[d], &bytes))
            return base_set_error(err, WHORL_LIMIT, "data", "`%s` is too large for this machine", p->name);
    job->size_bytes[index] = bytes;
    struct job_input *in = (struct job_input *)job_find_input(job, p->name);
    enum whorl_status status = in ? check_shape(in, p, err) : WHORL_OK;
    if (status != WHORL_OK) return status;
    if (in && in->kind == INPUT_FILE) { // the file's memory is the array
        job->start[index] = in->data;
        in->data = NULL;
        return WHORL_OK;
    }
    job->start[index] = base_heap_alloc(bytes ? bytes : 1);
    if (!job->start[index])
        return base_set_error(err, WHORL_MEMORY, "data", "out of memory: `%s` needs %zu bytes", p->name, bytes);
    if (in && p->words) return fill_words(p, &in->generator, bytes / sizeof(uint32_t), job->start[index], err);
    if (in)
        return generator_fill(p->name, &in->generator, p->dtype, bytes / whorl_dtype_size(p->dtype), job->start[index],
                              err);
    memset(job->start[index], 0, bytes);
    return WHORL_OK;
}

enum whorl_status job_fill(struct job *job, struct whorl_error *err) {
    size_t count = whorl_program_param_count(job->program);
    guard_stage(GUARD_READING);
    job->start = calloc(count + 1, sizeof *job->start);
    job->size_bytes = calloc(count + 1, sizeof *job->size_bytes);
    if (!job->start || !job->size_bytes) return no_memory(err);
    job->param_count = count;
    for (size_t p = 0; p < count; p++) {
        enum whorl_status status = whorl_program_param(job->program, p)->is_array ? fill_one(job, p, err) : WHORL_OK;
        if (status != WHORL_OK) return status;
    }
    return WHORL_OK;
}

enum whorl_status job_results_create(const struct job *job, void ***out_arrays, struct whorl_error *err) {
    void **arrays = calloc(job->param_count + 1, sizeof *arrays);
    *out_arrays = arrays;
    if (!arrays) return no_memory(err);
    for (size_t p = 0; p < job->param_count; p++) {
        arrays[p] = job->start[p];
        if (!whorl_program_param(job->program, p)->is_output) continue;
        arrays[p] = base_heap_alloc(job->size_bytes[p] ? job->size_bytes[p] : 1);
        if (!arrays[p])
            return base_set_error(err, WHORL_MEMORY, "data", "out of memory: `%s` needs %zu bytes",
                                  whorl_program_param(job->program, p)->name, job->size_bytes[p]);
    }
    job_results_reset(job, arrays);
    return WHORL_OK;
}

void job_results_reset(const struct job *job, void **arrays) {
    for (size_t p = 0; p < job->param_count; p++)
        if (whorl_program_param(job->program, p)->is_output) memcpy(arrays[p], job->start[p], job->size_bytes[p]);
}

void job_results_destroy(const struct job *job, void **arrays) {
    for (size_t p = 0; arrays && p < job->param_count; p++)
        if (whorl_program_param(job->program, p)->is_output) base_heap_free(arrays[p]);
    free(arrays);
}

void job_deinit(struct job *job) {
    for (size_t p = 0; p < job->param_count; p++)
        base_heap_free(job->start[p]);
    for (size_t i = 0; i < job->input_count; i++) {
        free((char *)job->inputs[i].name);
        base_heap_free(job->inputs[i].data);
    }
    whorl_program_destroy(job->program);
    free(job->start);
    free(job->size_bytes);
    free(job->inputs);
    free(job->scalars);
    free(job->shapes);
    free(job->described);
    cli_list_deinit(&job->defines);
    cli_list_deinit(&job->uniforms);
    directives_deinit(&job->directives);
    free(job->path);
}
