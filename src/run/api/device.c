// The public device: listing, choosing, opening.
//
// `auto` takes the first hardware GPU. Without one it takes the CPU through its C compiler, which is faster than any
// GPU in software; a software GPU is for asking (`gpu`, or its index) and for machines without a compiler.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run/api/api.h"
#include "run/probe/probe.h"

// All adapters of the library, while a choice is made.
struct adapters {
    struct run_library lib;
    WGPUInstance instance;
    WGPUAdapter items[RUN_MAX_ADAPTERS];
    struct whorl_device_info infos[RUN_MAX_ADAPTERS];
    size_t count;
};

static const char *backend_name(WGPUBackendType type) {
    switch (type) {
    case WGPUBackendType_Vulkan: return "vulkan";
    case WGPUBackendType_Metal: return "metal";
    case WGPUBackendType_D3D12: return "d3d12";
    case WGPUBackendType_D3D11: return "d3d11";
    case WGPUBackendType_OpenGL: return "opengl";
    case WGPUBackendType_OpenGLES: return "opengles";
    default: return "unknown";
    }
}

static void first_of(char *out, size_t size, WGPUStringView a, WGPUStringView b) {
    run_copy_view(out, size, a);
    if (!out[0]) run_copy_view(out, size, b);
    if (!out[0]) snprintf(out, size, "unnamed");
}

static bool describe(const struct run_library *lib, WGPUAdapter adapter, struct whorl_device_info *out) {
    union { // a newer library may write more than this header's struct
        WGPUAdapterInfo info;
        char room[512];
    } info;
    union {
        WGPULimits limits;
        char room[512];
    } limits;
    memset(&info, 0, sizeof info);
    memset(&limits, 0, sizeof limits);
    memset(out, 0, sizeof *out);
    if (run_gpu_fault() || lib->AdapterGetInfo(adapter, &info.info) != WGPUStatus_Success) return false;
    first_of(out->name, sizeof out->name, info.info.device, info.info.description);
    first_of(out->driver, sizeof out->driver, info.info.description, info.info.vendor);
    snprintf(out->library, sizeof out->library, "%.40s (%.80s)", lib->version, lib->path);
    snprintf(out->backend, sizeof out->backend, "%s", backend_name(info.info.backendType));
    out->is_software = info.info.adapterType == WGPUAdapterType_CPU;
    if (info.info.subgroupMinSize == info.info.subgroupMaxSize) out->subgroup_size = info.info.subgroupMaxSize;
    lib->AdapterInfoFreeMembers(info.info);
    if (run_gpu_fault() || lib->AdapterGetLimits(adapter, &limits.limits) != WGPUStatus_Success) return false;
    out->has_f16 = lib->AdapterHasFeature(adapter, run_conv_feature(lib, RUN_F16));
    out->has_subgroups = lib->AdapterHasFeature(adapter, run_conv_feature(lib, RUN_SUBGROUPS));
    out->has_timestamps = lib->AdapterHasFeature(adapter, run_conv_feature(lib, RUN_TIMESTAMP));
    WGPUFeatureName float_atomics = run_conv_feature(lib, RUN_FLOAT_ATOMICS);
    out->target.float_atomics = float_atomics && lib->AdapterHasFeature(adapter, float_atomics);
    out->max_invocations = limits.limits.maxComputeInvocationsPerWorkgroup;
    out->max_storage_buffers = limits.limits.maxStorageBuffersPerShaderStage;
    out->max_groups = limits.limits.maxComputeWorkgroupsPerDimension;
    out->workgroup_bytes = limits.limits.maxComputeWorkgroupStorageSize;
    out->max_binding_bytes = limits.limits.maxStorageBufferBindingSize;
    out->max_buffer_bytes = limits.limits.maxBufferSize;
    return true;
}

static void close_adapters(struct adapters *a) {
    for (size_t i = 0; i < a->count; i++)
        a->lib.AdapterRelease(a->items[i]);
    a->count = 0;
    if (a->instance) a->lib.InstanceRelease(a->instance);
    a->instance = NULL;
}

static void list_adapters(struct adapters *a) {
    WGPUAdapter found[RUN_MAX_ADAPTERS];
    size_t count = run_conv_adapters(&a->lib, a->instance, found);
    for (size_t i = 0; i < count; i++) {
        if (describe(&a->lib, found[i], &a->infos[a->count]))
            a->items[a->count++] = found[i];
        else
            a->lib.AdapterRelease(found[i]);
    }
}

static enum whorl_status open_adapters(const char *library, struct adapters *out, struct whorl_error *err) {
    memset(out, 0, sizeof *out);
    enum whorl_status status = run_library_open(library, &out->lib, err);
    if (status != WHORL_OK) return status;
    do { // a GPU's device file may be there without a driver for it: then once more, in software
        out->instance = run_conv_instance(&out->lib);
        if (!out->instance)
            return base_set_error(err, WHORL_DEVICE, "device", "%s gives no instance", out->lib.version);
        list_adapters(out);
        if (out->count) return WHORL_OK;
        close_adapters(out);
    } while (run_library_use_software());
    return base_set_error(
        err, WHORL_DEVICE, "device",
        "no GPU adapter: %s finds no Vulkan, Metal or D3D12 driver (`make setup` fetches one in software)",
        out->lib.version);
}

static void describe_cpu(const struct run_cc *cc, struct whorl_device_info *out) {
    memset(out, 0, sizeof *out);
    snprintf(out->name, sizeof out->name, "cpu");
    snprintf(out->library, sizeof out->library, "%.30s (%.90s)", cc->command,
             cc->version[0] ? cc->version : "not found");
    snprintf(out->driver, sizeof out->driver, "OpenMP");
    snprintf(out->backend, sizeof out->backend, "cpu");
    out->is_cpu = true;
    out->target.cpu_only = true;
}

// WebGPU does not tell how many invocations a GPU has room for; the probe found how many workgroups of 256 are there at
// once. A quarter of those hide most of memory's latency (a guess; that they do on an H200 is how the number was
// found).
uint32_t run_busy_invocations(const struct run_probe *probe, bool is_software) {
    enum { SOFTWARE = 64, LEAST = 4096, NOT_MEASURED = 65536, GROUP = 256 };
    if (is_software) return SOFTWARE;
    if (probe->grid_groups_max < 2) return NOT_MEASURED;
    uint32_t busy = LEAST;
    while (busy <= probe->grid_groups_max * GROUP / 8)
        busy *= 2;
    return busy;
}

// Of the memory that a workgroup may have. GPUs have 64 KiB or more for the workgroups of a unit, several of which must
// be there at once to hide what loads take (a guess: 32 KiB are enough for a vector of 7,000 floats and leave room for
// two).
static uint32_t usable_bytes(uint32_t limit) {
    enum { MOST = 32768 };
    return limit < MOST ? limit : MOST;
}

static void take_probe(struct whorl_device *d) {
    d->info.loop_cap = d->probe.loop_cap;
    if (d->probe.subgroup_size) d->info.subgroup_size = d->probe.subgroup_size;
    d->info.target = (struct whorl_target){
        .register_words = d->probe.register_words,
        .busy_invocations = run_busy_invocations(&d->probe, d->info.is_software),
        .subgroup_lanes = d->probe.subgroup_lanes,
        .workgroup_bytes = usable_bytes(d->info.workgroup_bytes),
        .storage_buffers = d->info.max_storage_buffers,
        .binding_bytes = d->info.max_binding_bytes,
        .coherent_memory = d->probe.coherent_memory && d->gpu && d->gpu->has_coherent, // a listed one is not open
        .float_atomics = d->info.target.float_atomics,                                 // the adapter's
    };
    d->info.dispatch_us = d->probe.dispatch_us;
    d->info.submit_us = d->probe.submit_us;
    d->info.wait_us = d->probe.wait_us;
    d->info.read_gbps = d->probe.read_gbps;
    d->info.copy_gbps = d->probe.copy_gbps;
    d->info.ops_per_s = d->probe.ops_per_s;
    d->info.latency_ns = d->probe.latency_ns;
    struct whorl_grid *grid = &d->info.grid;
    *grid = (struct whorl_grid){.ok = d->probe.grid_ok,
                                .fences_needed = d->probe.fences_needed,
                                .groups = d->probe.grid_groups,
                                .groups_max = d->probe.grid_groups_max,
                                .tested = d->probe.grid_tested,
                                .barrier_ns = d->probe.barrier_ns,
                                .spins_per_ms = d->probe.spins_per_ms,
                                .messages = d->probe.litmus_messages,
                                .stale = d->probe.litmus_stale,
                                .plain_stale = d->probe.litmus_plain_stale,
                                .size_count = d->probe.grid_size_count};
    memcpy(grid->sizes, d->probe.grid_sizes, sizeof grid->sizes);
    memcpy(grid->note, d->probe.grid_note, sizeof grid->note);
    d->info.builtin_count = d->probe.builtin_count;
    memcpy(d->info.builtins, d->probe.builtins, sizeof d->info.builtins);
}

// What an earlier run measured on this adapter, if it is still in the cache.
static void add_measured(const struct whorl_device_options *options, struct whorl_device_info *io) {
    struct whorl_device *d = base_heap_alloc(sizeof *d);
    if (!d) return;
    memset(d, 0, sizeof *d);
    d->info = *io;
    if (run_cache_dir(options->cache_dir, d->cache_dir) && run_probe_load(d, &d->probe)) {
        take_probe(d);
        *io = d->info;
    }
    base_heap_free(d);
}

size_t whorl_device_list(const struct whorl_device_options *given, struct whorl_device_info *out_infos, size_t cap,
                         struct whorl_error *err) {
    struct whorl_device_options own = WHORL_DEVICE_OPTIONS_INIT, *options = &own;
    struct adapters a;
    struct run_cc cc;
    struct whorl_error ignored;
    if (base_take_options(&own, sizeof own, given, "WHORL_DEVICE_OPTIONS_INIT", err) != WHORL_OK) return 0;
    if (!out_infos) cap = 0;
    if (err) base_set_error(err, WHORL_OK, "device", "%s", "");
    (void)open_adapters(options->library, &a, err ? err : &ignored);
    size_t count = 0;
    for (; count < a.count && count < cap; count++) {
        out_infos[count] = a.infos[count];
        add_measured(options, &out_infos[count]);
    }
    count = a.count;
    close_adapters(&a);
    run_cc_find(options->cc, &cc);
    if (count < cap) describe_cpu(&cc, &out_infos[count]);
    return count + 1;
}

// ---- choosing ----
enum { CHOSE_CPU = -1, CHOSE_NOTHING = -2 };
enum { KERNEL_S = 60 }; // a real one takes a second, in software ten; what takes a minute often does not end

static bool is_number(const char *text) { return *text && strspn(text, "0123456789") == strlen(text); }

static int first_adapter(const struct adapters *a, bool hardware_only) {
    for (size_t i = 0; i < a->count; i++)
        if (!a->infos[i].is_software) return (int)i;
    return hardware_only || a->count == 0 ? CHOSE_NOTHING : 0;
}

// What was found out on the way is in `gpu_error`: why there is no GPU.
static enum whorl_status choose(const char *select, const struct adapters *a, const struct run_cc *cc,
                                const struct whorl_error *gpu_error, int *out, char *reason, size_t size,
                                struct whorl_error *err) {
    if (strcmp(select, "cpu") == 0) {
        *out = CHOSE_CPU;
        snprintf(reason, size, "cpu (%s): asked for", cc->version);
        return WHORL_OK;
    }
    if (is_number(select)) {
        unsigned long index = strtoul(select, NULL, 10);
        if (index > a->count)
            return base_set_error(err, WHORL_DEVICE, "device", "there is no device %s, only 0 to %zu", select,
                                  a->count);
        *out = index == a->count ? CHOSE_CPU : (int)index;
        snprintf(reason, size, "%s: asked for by its number", *out < 0 ? "cpu" : a->infos[*out].name);
        return WHORL_OK;
    }
    bool only_gpu = strcmp(select, "gpu") == 0;
    if (!only_gpu && strcmp(select, "auto") != 0)
        return base_set_error(err, WHORL_INVALID, "device", "'%s' is no device: auto, cpu, gpu or a number", select);
    *out = first_adapter(a, !only_gpu && cc->version[0]);
    if (*out >= 0) {
        snprintf(reason, size, "%s: %s", a->infos[*out].name,
                 !a->infos[*out].is_software ? "the first hardware GPU"
                 : only_gpu                  ? "asked for a GPU, and this one in software is all there is"
                            : "a GPU in software, since there is neither a hardware GPU nor a C compiler");
        return WHORL_OK;
    }
    if (only_gpu || !cc->version[0])
        return base_set_error(err, WHORL_DEVICE, "device", "%s%s",
                              only_gpu ? "" : "no C compiler for the CPU device, and ", gpu_error->message);
    *out = CHOSE_CPU;
    if (a->count)
        snprintf(reason, size, "cpu (%s): no hardware GPU, and compiled C is faster than %s; --device gpu takes that",
                 cc->version, a->infos[0].name);
    else
        snprintf(reason, size, "cpu (%s): %.*s", cc->version, (int)strcspn(gpu_error->message, "\n"),
                 gpu_error->message);
    return WHORL_OK;
}

static enum whorl_status open_gpu(struct whorl_device *d, struct adapters *a, int index, bool measure, bool fresh,
                                  struct whorl_error *err) {
    d->info = a->infos[index];
    enum whorl_status status =
        run_gpu_open(&a->lib, a->instance, a->items[index], a->infos[index].is_software, &d->gpu, err);
    if (status != WHORL_OK) return status;
    a->instance = NULL; // the gpu's now
    if (fresh) run_probe_forget(d);
    if (fresh) run_choices_forget(d);
    status = run_probe_device(d, measure, err);
    if (status != WHORL_OK) return status;
    take_probe(d);
    return WHORL_OK;
}

static void close_gpu(struct whorl_device *d) {
    if (d->gpu) {
        run_pipelines_deinit(d);
        run_gpu_close(d->gpu);
    }
    d->gpu = NULL;
}

// Its place among the adapters may have changed, its name has not.
static int find_again(const struct adapters *a, const struct whorl_device_info *info) {
    for (size_t i = 0; i < a->count; i++)
        if (strcmp(a->infos[i].name, info->name) == 0 && strcmp(a->infos[i].driver, info->driver) == 0 &&
            strcmp(a->infos[i].backend, info->backend) == 0)
            return (int)i;
    return CHOSE_NOTHING;
}

// A driver that was reset takes a moment.
static enum whorl_status open_again(struct whorl_device *d, struct run_gpu **out, struct whorl_error *err) {
    enum { ATTEMPTS = 4, PAUSE_US = 300000 };
    enum whorl_status status = WHORL_DEVICE;
    for (int i = 0; i < ATTEMPTS && status != WHORL_OK; i++) {
        struct adapters a;
        if (i) usleep(PAUSE_US << i);
        status = open_adapters(d->gpu->lib.path, &a, err);
        int index = status == WHORL_OK ? find_again(&a, &d->info) : CHOSE_NOTHING;
        if (index >= 0) {
            status = run_gpu_open(&a.lib, a.instance, a.items[index], d->info.is_software, out, err);
            if (status == WHORL_OK) a.instance = NULL; // the gpu's now
        } else if (status == WHORL_OK) {
            status = base_set_error(err, WHORL_DEVICE, "device", "%s is no longer there", d->info.name);
        }
        close_adapters(&a);
    }
    return status;
}

enum whorl_status run_device_renew(struct whorl_device *d, struct whorl_error *err) {
    struct run_gpu *fresh;
    struct run_lost *lost = base_heap_alloc(sizeof *lost);
    if (!lost) return base_set_error(err, WHORL_MEMORY, "device", "out of memory");
    enum whorl_status status = open_again(d, &fresh, err);
    if (status != WHORL_OK) {
        base_heap_free(lost);
        return status;
    }
    fresh->counts.dispatches = d->gpu->counts.dispatches;
    fresh->counts.submits = d->gpu->counts.submits;
    fresh->timeout_s = d->gpu->timeout_s;
    fresh->patience = d->gpu->patience;
    *lost = (struct run_lost){d->gpu, d->pipelines, d->lost};
    d->lost = lost;
    d->gpu = fresh;
    d->pipelines = (struct run_pipelines){0};
    // Its self-test alone. One that was given up was right until then, and its driver may make one kernel at a time: a
    // self-test would wait in vain for what holds it up, and be blamed for it.
    return lost->gpu->stuck ? WHORL_OK : run_probe_device(d, false, err);
}

// `auto` is not stopped by a GPU that does not work.
static enum whorl_status take_cpu_instead(struct whorl_device *d, const char *why) {
    close_gpu(d);
    describe_cpu(&d->cc, &d->info);
    d->probe = (struct run_probe){0};
    snprintf(d->reason, sizeof d->reason, "cpu (%s): the GPU was refused: %.*s", d->cc.version, (int)strcspn(why, "\n"),
             why);
    return WHORL_OK;
}

enum whorl_status whorl_device_open(const struct whorl_device_options *given, whorl_device **out_device,
                                    struct whorl_error *err) {
    struct whorl_device_options own = WHORL_DEVICE_OPTIONS_INIT, *options = &own;
    if (!out_device) return base_set_error(err, WHORL_INVALID, "device", "no place for the device");
    *out_device = NULL;
    enum whorl_status status = base_take_options(&own, sizeof own, given, "WHORL_DEVICE_OPTIONS_INIT", err);
    if (status != WHORL_OK) return status;
    struct whorl_device *d = base_heap_alloc(sizeof *d);
    if (!d) return base_set_error(err, WHORL_MEMORY, "device", "out of memory");
    memset(d, 0, sizeof *d);
    const char *select = options->select ? options->select : "auto";
    d->kernel_s = options->kernel_s == 0 ? KERNEL_S : options->kernel_s;
    d->is_free = strcmp(select, "auto") == 0;
    d->warning = (struct run_warning){options->warning, options->warning_user};
    struct whorl_error gpu_error = {0};
    struct adapters a = {.count = 0};
    run_cc_find(options->cc, &d->cc);
    (void)run_cache_dir(options->cache_dir, d->cache_dir);
    if (strcmp(select, "cpu") != 0) (void)open_adapters(options->library, &a, &gpu_error);
    int index = CHOSE_NOTHING;
    status = choose(select, &a, &d->cc, &gpu_error, &index, d->reason, sizeof d->reason, err);
    if (status == WHORL_OK && index >= 0) {
        status = open_gpu(d, &a, index, !options->no_probe, options->fresh_probe, &gpu_error);
        if (status != WHORL_OK && strcmp(select, "auto") == 0 && d->cc.version[0])
            status = take_cpu_instead(d, gpu_error.message);
        else if (status != WHORL_OK && err)
            *err = gpu_error;
    } else if (status == WHORL_OK) {
        describe_cpu(&d->cc, &d->info);
        if (!d->cc.version[0])
            status =
                base_set_error(err, WHORL_DEVICE, "cpu", "no C compiler: '%s' cannot be run; set CC", d->cc.command);
    }
    close_adapters(&a);
    if (status != WHORL_OK) {
        whorl_device_destroy(d);
        return status;
    }
    *out_device = d;
    return WHORL_OK;
}

void whorl_device_destroy(whorl_device *d) {
    if (!d) return;
    close_gpu(d);
    while (d->lost) {
        struct run_lost *lost = d->lost;
        d->lost = lost->next;
        d->gpu = lost->gpu;
        d->pipelines = lost->pipelines;
        close_gpu(d);
        base_heap_free(lost);
    }
    base_heap_free(d->choices);
    base_heap_free(d);
}

const struct whorl_device_info *whorl_device_get_info(const whorl_device *device) {
    return device ? &device->info : NULL;
}

const char *whorl_device_reason(const whorl_device *device) { return device ? device->reason : ""; }
