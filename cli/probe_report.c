// `whorl probe`: all that is known of one device, in words, and what follows from it for programs. What is not known
// yet is measured.
#include <stdarg.h>
#include <string.h>
#include <time.h>

#include "commands.h"
#include "measured.h"

enum { LABEL = 20, MOST_TEXT = 1000 }; // columns of a row's label

static void row(const char *label, const char *format, ...) BASE_PRINTF(2, 3);
static void row(const char *label, const char *format, ...) {
    char text[MOST_TEXT];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    printf("  %-*s", LABEL - 2, label);
    cli_wrap(stdout, text, LABEL, LABEL, cli_width(stdout));
}

static void head(const char *text) {
    printf("%s%s%s\n", cli_style(stdout, CLI_BOLD), text, cli_style(stdout, CLI_PLAIN));
}

// Appends to `text` of MOST_TEXT bytes.
static void add(char *text, const char *format, ...) BASE_PRINTF(2, 3);
static void add(char *text, const char *format, ...) {
    size_t used = strlen(text);
    va_list args;
    va_start(args, format);
    vsnprintf(text + used, MOST_TEXT - used, format, args);
    va_end(args);
}

static void print_limits(const struct whorl_device_info *info) {
    char n[3][32], features[MOST_TEXT] = "";
    if (info->has_f16) add(features, "f16");
    if (info->has_subgroups) add(features, "%ssubgroups", *features ? ", " : "");
    if (info->has_subgroups && info->subgroup_size) add(features, " of %u", info->subgroup_size);
    if (info->has_timestamps) add(features, "%stimestamps", *features ? ", " : "");
    if (info->target.float_atomics) add(features, "%satomics of floats", *features ? ", " : "");
    head("Limits");
    row("a workgroup", "%u invocations, %s bytes of shared memory", info->max_invocations,
        cli_thousands(info->workgroup_bytes, n[0]));
    row("a dispatch", "%s workgroups in each dimension, %u storage buffers", cli_thousands(info->max_groups, n[0]),
        info->max_storage_buffers);
    row("a buffer", "%s bytes, %s of them in a binding", cli_thousands(info->max_buffer_bytes, n[0]),
        cli_thousands(info->max_binding_bytes, n[1]));
    row("features", "%s", *features ? features : "none that whorl uses");
}

static void print_costs(const struct whorl_device_info *info) {
    char n[3][32];
    head("Costs");
    row("work", "a dispatch %s us, a submit %s us, submit and wait %s us", measured_number(info->dispatch_us, n[0]),
        measured_number(info->submit_us, n[1]), measured_number(info->wait_us, n[2]));
    row("rates", "copies at %s GB/s, reads a buffer once at %s GB/s, %s billion simple operations a second",
        measured_number(info->copy_gbps, n[0]), measured_number(info->read_gbps, n[1]),
        measured_number(info->ops_per_s * 1e-9, n[2]));
    row("memory", "answers after %s ns", measured_number(info->latency_ns, n[0]));
    if (info->target.register_words)
        row("registers", "loops are fastest with up to %u values kept in registers", info->target.register_words);
    else
        row("registers", "not measured on a GPU in software");
    if (info->loop_cap)
        row("loops", "the driver silently ends the loops of an invocation after %s passes",
            cli_thousands(info->loop_cap, n[0]));
    else
        row("loops", "the driver lets them run to their end");
}

static void print_functions(const struct whorl_device_info *info) {
    char text[MOST_TEXT] = "", one[80], math[120];
    head("Mathematics, largest errors in units in the last place");
    for (uint32_t i = 0; i < info->builtin_count; i++) {
        measured_builtin(&info->builtins[i], one, sizeof one);
        add(text, "%s%s", i ? ", " : "", one);
    }
    row("WGSL's own", "%s", info->builtin_count ? text : "not measured: the device refuses the kernel");
    row("whorl's math.h", "%s",
        measured_math(info, math, sizeof math) ? math : "not measured yet; `whorl devices --math` does");
}

static void print_grid(const struct whorl_device_info *info) {
    const struct whorl_grid *g = &info->grid;
    char n[32], text[MOST_TEXT] = "";
    head("Barriers between workgroups of 256 (docs/memory-model.md)");
    row("resident at once", "%s workgroup%s", cli_thousands(g->groups_max, n), g->groups_max == 1 ? "" : "s");
    for (uint32_t i = g->size_count; i-- > 0;)
        add(text, "%s us for %u%s", measured_number(g->sizes[i].barrier_ns * 1e-3, n), g->sizes[i].groups,
            i ? ", " : "");
    if (*text) row("a barrier", "%s", text);
    if (g->spins_per_ms > 0)
        row("waiting", "%s passes of the loop a millisecond", cli_thousands((uint64_t)g->spins_per_ms, n));
    if (g->tested)
        row("self-test", "%s: %s barriers with messages%s%s", g->ok ? "passed" : "failed", cli_thousands(g->tested, n),
            *g->note ? "; " : "", g->note);
    else
        row("not used", "%s", g->note);
    if (g->messages) {
        row("litmus test",
            "%s messages through atomics, %llu stale; through plain memory, which whorl does not use for messages, "
            "%llu",
            cli_thousands(g->messages, n), (unsigned long long)g->stale, (unsigned long long)g->plain_stale);
        row("vectors", "%s",
            info->target.coherent_memory
                ? "shared by workgroups as plain words that the library keeps coherent: none was stale"
                : "never shared by workgroups: the library has no coherent plain words, or one was stale");
        row("fences", "%s", g->fences_needed ? "each barrier needs a storageBarrier on both sides" : "none needed");
    }
}

static void print_consequences(const struct whorl_device_info *info) {
    const struct whorl_grid *g = &info->grid;
    char n[32];
    head("What follows for programs");
    if (g->ok && g->groups > 1)
        row("one dispatch",
            "loops around parallel loops run as one dispatch of %u workgroups; fewer where a program's "
            "kernel leaves less room",
            g->groups);
    else
        row("one dispatch",
            "loops around parallel loops run as one dispatch of one workgroup, or as one dispatch for "
            "each parallel loop (`steps`)%s",
            info->is_software && g->ok ? ": the workgroups of a GPU in software are threads, which may wait long for "
                                         "each other"
                                       : "");
    if (info->loop_cap)
        row("slices", "stay below %s passes of an invocation's loops", cli_thousands(info->loop_cap, n));
    if (info->target.register_words)
        row("compiling", "`--register-budget %u` fits this device", info->target.register_words);
    if (info->is_software) row("speed", "the CPU with a C compiler is faster (`--device cpu`)");
}

static void print_all(const struct whorl_device_info *info, double seconds, bool fresh) {
    char words[300], took[32];
    cli_device_words(info, words, sizeof words);
    printf("%s%s%s\n", cli_style(stdout, CLI_BOLD), words, cli_style(stdout, CLI_PLAIN));
    cli_wrap(stdout, info->library, 0, 2, cli_width(stdout));
    if (*info->driver) cli_wrap(stdout, info->driver, 0, 2, cli_width(stdout));
    if (info->is_cpu) {
        printf("The CPU device is a C compiler: there is nothing to measure.\n");
        return;
    }
    if (fresh) printf("measured now, in %s\n", cli_duration(seconds * 1e3, took));
    putchar('\n');
    print_limits(info);
    print_costs(info);
    print_functions(info);
    print_grid(info);
    print_consequences(info);
}

enum cli_exit cli_probe(const struct cli_options *options) {
    struct whorl_error err = {0};
    whorl_device *device;
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    if (cli_open(options, options->device ? options->device : "gpu", &device, &err) != WHORL_OK)
        return cli_report(&err);
    clock_gettime(CLOCK_MONOTONIC, &to);
    const struct whorl_device_info *info = whorl_device_get_info(device);
    double seconds = (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
    if (!options->quiet) print_all(info, seconds, options->fresh);
    if (options->json) {
        yyjson_mut_doc *doc = json_create("probe", NULL);
        yyjson_mut_val *object = doc ? yyjson_mut_obj_add_obj(doc, yyjson_mut_doc_get_root(doc), "device") : NULL;
        json_add_device(doc, object, info, NULL);
        measured_add_json(doc, object, info);
        err.status = json_write(doc, options->json, &err);
    }
    whorl_device_destroy(device);
    return err.status == WHORL_OK ? CLI_OK : cli_report(&err);
}
