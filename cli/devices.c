// `whorl devices`: what can run programs here, and what the first use of a device measured on it.
#include <string.h>

#include "commands.h"
#include "measured.h"

enum { MOST_DEVICES = 32 };

static void print_measured(const struct whorl_device_info *info) {
    if (info->dispatch_us <= 0) {
        printf("     not measured yet; the first run does\n");
        return;
    }
    printf("     a dispatch %.3g us, a submit %.3g us, submit and wait %.3g us", info->dispatch_us, info->submit_us,
           info->wait_us);
    if (info->copy_gbps > 0) printf(", copies at %.3g GB/s", info->copy_gbps);
    if (info->subgroup_size) printf(", subgroups of %u", info->subgroup_size);
    putchar('\n');
    if (info->loop_cap) printf("     its driver ends loops after %u passes; slices stay below that\n", info->loop_cap);
}

// What the first use found of WGSL's own functions: first those that programs get as they are, then the worst of the
// others.
static void print_builtins(const struct whorl_device_info *info) {
    const struct whorl_builtin *worst = NULL;
    const char *between = " ";
    if (info->builtin_count == 0) return;
    printf("     errors of WGSL's functions:");
    for (uint32_t i = 0; i < info->builtin_count; i++) {
        const struct whorl_builtin *b = &info->builtins[i];
        if (!worst || b->worst_ulp > worst->worst_ulp) worst = b;
        if (strcmp(b->name, "x / y") != 0 && strcmp(b->name, "sqrt") != 0) continue;
        printf("%s%s %.1f ulp", between, b->name, b->worst_ulp);
        between = ", ";
    }
    printf("; whorl replaces others, as %s (%.0f ulp)", worst->name, worst->worst_ulp);
    for (uint32_t i = 0; i < info->builtin_count; i++)
        if (info->builtins[i].wrong) printf(", %s (NaN or infinite)", info->builtins[i].name);
    putchar('\n');
}

static void list_builtins(const struct whorl_device_info *info) {
    for (uint32_t i = 0; i < info->builtin_count; i++) {
        const struct whorl_builtin *b = &info->builtins[i];
        bool last = i + 1 == info->builtin_count;
        printf("%s%s %.*f%s", i == 0 ? "     WGSL's own functions, worst ulp: " : "", b->name,
               b->worst_ulp < 100 ? 1 : 0, b->worst_ulp,
               last         ? "\n"
               : i % 8 == 7 ? ",\n       "
                            : ", ");
    }
}

static void print_math(const struct whorl_device_info *info, size_t index) {
    char words[120];
    if (measured_math(info, words, sizeof words))
        printf("     math: %s\n", words);
    else
        printf("     math: not measured yet; `whorl devices --math --device %zu` does\n", index);
}

static void print_barriers(const struct whorl_device_info *info) {
    char words[300];
    if (info->grid.groups == 0) return;
    measured_barriers(info, words, sizeof words);
    printf("     ");
    cli_wrap(stdout, words, 5, 5, cli_width(stdout));
}

static void print_device(size_t index, const struct whorl_device_info *info, bool verbose) {
    char words[300];
    cli_device_words(info, words, sizeof words);
    printf("%3zu  %s%s%s\n", index, cli_style(stdout, CLI_BOLD), words, cli_style(stdout, CLI_PLAIN));
    if (info->is_cpu) return;
    printf("     %s%s%s\n", info->library, *info->driver ? "; " : "", info->driver);
    print_measured(info);
    print_barriers(info);
    print_builtins(info);
    print_math(info, index);
    if (verbose) {
        list_builtins(info);
        char bytes[2][32];
        printf("     workgroups of %u, %u storage buffers, %u groups, %u bytes shared\n", info->max_invocations,
               info->max_storage_buffers, info->max_groups, info->workgroup_bytes);
        printf("     a binding of %s bytes, a buffer of %s bytes;%s%s%s\n",
               cli_thousands(info->max_binding_bytes, bytes[0]), cli_thousands(info->max_buffer_bytes, bytes[1]),
               info->has_f16 ? " f16" : "", info->has_subgroups ? " subgroups" : "",
               info->has_timestamps ? " timestamps" : "");
    }
}

enum cli_exit cli_devices(const struct cli_options *options) {
    if (options->math) return cli_math(options);
    struct whorl_device_options d = WHORL_DEVICE_OPTIONS_INIT;
    struct whorl_device_info infos[MOST_DEVICES];
    struct whorl_error err = {0};
    size_t count = whorl_device_list(&d, infos, MOST_DEVICES, &err);
    if (count > MOST_DEVICES) count = MOST_DEVICES;
    for (size_t i = 0; i < count && !options->quiet; i++)
        print_device(i, &infos[i], options->verbose);
    if (err.message[0] && !options->quiet) cli_hint("no GPU: %s", err.message);
    if (!options->json) return CLI_OK;
    yyjson_mut_doc *doc = json_create("devices", NULL);
    yyjson_mut_val *list = doc ? yyjson_mut_obj_add_arr(doc, yyjson_mut_doc_get_root(doc), "devices") : NULL;
    for (size_t i = 0; i < count && list; i++) {
        yyjson_mut_val *one = yyjson_mut_arr_add_obj(doc, list);
        json_add_device(doc, one, &infos[i], NULL);
        measured_add_json(doc, one, &infos[i]);
    }
    err = (struct whorl_error){0};
    err.status = json_write(doc, options->json, &err);
    return err.status == WHORL_OK ? CLI_OK : cli_report(&err);
}
