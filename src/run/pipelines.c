// Kernels as pipelines, made once a device and kept. Layouts are explicit: an automatic layout drops bindings that a
// kernel does not use, and then every bind group that names them is invalid.
#include <stdio.h>
#include <string.h>

#include "run/device.h"

enum { KEPT_UNUSED = 256 }; // pipelines that no session holds are dropped beyond this

static uint32_t storage_bindings(const struct plan_kernel *kernel) {
    return kernel->binding_count + (kernel->resume_words > 0);
}

static bool binding_writable(const struct plan_kernel *kernel, uint32_t i) {
    return i >= kernel->binding_count || kernel->bindings[i].writable;
}

static uint64_t hash_kernel(const struct plan_kernel *kernel, uint32_t param_bytes) {
    uint64_t hash = run_hash(RUN_HASH_START, kernel->wgsl, strlen(kernel->wgsl));
    hash = run_hash(hash, &param_bytes, sizeof param_bytes);
    hash = run_hash(hash, kernel->bounded ? "b" : "u", 1);
    hash = run_hash(hash, kernel->proven ? "p" : "c", 1);
    for (uint32_t i = 0; i < storage_bindings(kernel); i++)
        hash = run_hash(hash, binding_writable(kernel, i) ? "w" : "r", 1);
    return hash;
}

static bool same_kernel(const struct run_pipeline *p, const struct plan_kernel *kernel, uint32_t param_bytes) {
    if (p->param_bytes != param_bytes || p->bounded != kernel->bounded || p->proven != kernel->proven ||
        p->bindings != storage_bindings(kernel) || strcmp(p->wgsl + p->head_bytes, kernel->wgsl) != 0)
        return false;
    for (uint32_t i = 0; i < p->bindings; i++)
        if (p->writable[i] != binding_writable(kernel, i)) return false;
    return true;
}

static void destroy(struct run_gpu *g, struct run_pipeline *p) {
    if (!g->stuck) {
        if (p->pipeline) g->lib.ComputePipelineRelease(p->pipeline);
        if (p->pipeline_layout) g->lib.PipelineLayoutRelease(p->pipeline_layout);
        if (p->layout) g->lib.BindGroupLayoutRelease(p->layout);
    }
    base_heap_free(p->wgsl);
    base_heap_free(p->writable);
    base_heap_free(p);
}

static WGPUBindGroupLayout make_layout(struct run_gpu *g, const struct run_pipeline *p) {
    WGPUBindGroupLayoutEntry entries[RUN_MAX_ENTRIES];
    memset(entries, 0, sizeof entries);
    for (uint32_t i = 0; i < p->bindings + 2; i++) {
        bool read_only = i >= 2 && !p->writable[i - 2];
        entries[i].binding = i;
        entries[i].visibility = WGPUShaderStage_Compute;
        entries[i].buffer.type = i == 0      ? WGPUBufferBindingType_Uniform
                                 : read_only ? WGPUBufferBindingType_ReadOnlyStorage
                                             : WGPUBufferBindingType_Storage;
        entries[i].buffer.hasDynamicOffset = i == 0;
    }
    WGPUBindGroupLayoutDescriptor descriptor = {.entryCount = p->bindings + 2, .entries = entries};
    return run_gpu_fault() ? NULL : g->lib.DeviceCreateBindGroupLayout(g->device, &descriptor);
}

// wgpu-native adds a counter to every loop, for backends whose compilers take endless loops as undefined, and a check to every index. Both
// are left out where the compiler of this process has shown that they never act: of a plan from outside neither is known.
static WGPUShaderModule make_module(struct run_gpu *g, const struct run_pipeline *p,
                                    const WGPUShaderModuleDescriptor *descriptor) {
    if (run_gpu_fault()) return NULL;
    if ((!p->bounded && !p->proven) || !g->lib.DeviceCreateShaderModuleTrusted)
        return g->lib.DeviceCreateShaderModule(g->device, descriptor);
    WGPUShaderRuntimeChecks checks = (p->proven ? 0 : WGPUShaderRuntimeChecks_BoundsChecks) |
                                     (p->bounded ? 0 : WGPUShaderRuntimeChecks_ForceLoopBounding);
    return g->lib.DeviceCreateShaderModuleTrusted(g->device, descriptor, checks);
}

static void make_pipeline(struct whorl_device *device, struct run_pipeline *p, const char *wgsl) {
    struct run_gpu *g = device->gpu;
    p->layout = make_layout(g, p);
    if (!p->layout) return;
    WGPUPipelineLayoutDescriptor layout = {.bindGroupLayoutCount = 1, .bindGroupLayouts = &p->layout};
    p->pipeline_layout = run_gpu_fault() ? NULL : g->lib.DeviceCreatePipelineLayout(g->device, &layout);
    if (!p->pipeline_layout) return;
    WGPUShaderSourceWGSL source = {.chain = {.sType = WGPUSType_ShaderSourceWGSL}, .code = {wgsl, strlen(wgsl)}};

    WGPUShaderModuleDescriptor module_descriptor = {.nextInChain = &source.chain};
    WGPUShaderModule module = make_module(g, p, &module_descriptor);
    if (!module) return;
    WGPUComputePipelineDescriptor descriptor = {.layout = p->pipeline_layout,
                                                .compute = {.module = module, .entryPoint = {"main", 4}}};
    p->pipeline = run_gpu_fault() ? NULL : g->lib.DeviceCreateComputePipeline(g->device, &descriptor);
    g->lib.ShaderModuleRelease(module);
}

static enum whorl_status check_limits(const struct whorl_device *device, const struct plan_kernel *kernel,
                                      struct whorl_error *err) {
    const struct run_gpu *g = device->gpu;
    uint32_t buffers = storage_bindings(kernel) + 1; // and control
    if (buffers > g->limits.maxStorageBuffersPerShaderStage)
        return base_set_error(err, WHORL_LIMIT, "device",
                              "kernel %s (%s) uses %u storage buffers; the device's limit is %u", kernel->name,
                              kernel->origin, buffers, g->limits.maxStorageBuffersPerShaderStage);
    uint32_t widest = g->limits.maxComputeInvocationsPerWorkgroup < g->limits.maxComputeWorkgroupSizeX
                          ? g->limits.maxComputeInvocationsPerWorkgroup
                          : g->limits.maxComputeWorkgroupSizeX;
    if (kernel->workgroup_size > widest)
        return base_set_error(err, WHORL_LIMIT, "device",
                              "kernel %s (%s) has workgroups of %u; the device's limit is %u", kernel->name,
                              kernel->origin, kernel->workgroup_size, widest);
    // Of 1 lane: the probe, which finds out how many there are.
    if ((kernel->subgroup && !device->info.has_subgroups) ||
        (kernel->subgroup > 1 && kernel->subgroup > device->probe.subgroup_lanes))
        return base_set_error(
            err, WHORL_LIMIT, "device",
            "kernel %s (%s) exchanges values between %u lanes of a subgroup; this device is good for %u", kernel->name,
            kernel->origin, kernel->subgroup, device->probe.subgroup_lanes);
    // One without a grid: the probe's, which finds out whether it does.
    if (kernel->coherent && !(device->gpu->has_coherent && (!kernel->grid || device->probe.coherent_memory)))
        return base_set_error(
            err, WHORL_LIMIT, "device",
            "kernel %s (%s) needs memory that stays coherent, which %s does not have here (whorl probe)", kernel->name,
            kernel->origin, device->gpu->lib.version);
    return WHORL_OK;
}

static struct run_pipeline *new_entry(const struct run_library *lib, const struct plan_kernel *kernel, uint64_t hash,
                                      uint32_t param_bytes) {
    struct run_pipeline *p = base_heap_alloc(sizeof *p);
    if (!p) return NULL;
    const char *head = kernel->subgroup ? run_conv_subgroup_head(lib) : "";
    size_t text = strlen(head) + strlen(kernel->wgsl) + 1;
    *p = (struct run_pipeline){.hash = hash,
                               .bindings = storage_bindings(kernel),
                               .param_bytes = param_bytes,
                               .bounded = kernel->bounded,
                               .proven = kernel->proven,
                               .head_bytes = strlen(head),
                               .users = 1};
    p->wgsl = base_heap_alloc(text);
    p->writable = base_heap_alloc(p->bindings);
    if (!p->wgsl || !p->writable) {
        base_heap_free(p->wgsl);
        base_heap_free(p->writable);
        base_heap_free(p);
        return NULL;
    }
    snprintf(p->wgsl, text, "%s%s", head, kernel->wgsl);
    for (uint32_t i = 0; i < p->bindings; i++)
        p->writable[i] = binding_writable(kernel, i);
    return p;
}

static bool make_room(struct run_gpu *g, struct run_pipelines *all) {
    if (all->count >= KEPT_UNUSED) {
        size_t kept = 0;
        for (size_t i = 0; i < all->count; i++) {
            if (all->items[i]->users)
                all->items[kept++] = all->items[i];
            else
                destroy(g, all->items[i]);
        }
        all->count = kept;
    }
    if (all->count < all->cap) return true;
    size_t cap = all->cap ? all->cap * 2 : 16;
    struct run_pipeline **items = base_heap_realloc(all->items, cap * sizeof *items);
    if (!items) return false;
    all->items = items;
    all->cap = cap;
    return true;
}

enum whorl_status run_pipeline_get(struct whorl_device *device, const struct plan_kernel *kernel, uint32_t param_words,
                                   struct run_pipeline **out, struct whorl_error *err) {
    struct run_gpu *g = device->gpu;
    struct run_pipelines *all = &device->pipelines;
    uint32_t param_bytes = param_words * 4;
    uint64_t hash = hash_kernel(kernel, param_bytes);
    for (size_t i = 0; i < all->count; i++) {
        if (all->items[i]->hash == hash && same_kernel(all->items[i], kernel, param_bytes)) {
            *out = all->items[i];
            (*out)->users++;
            return WHORL_OK;
        }
    }
    *out = NULL;
    enum whorl_status status = check_limits(device, kernel, err);
    if (status != WHORL_OK) return status;
    struct run_pipeline *p = make_room(g, all) ? new_entry(&g->lib, kernel, hash, param_bytes) : NULL;
    if (!p) return base_set_error(err, WHORL_MEMORY, "device", "out of memory making kernel %s", kernel->name);
    char doing[256];
    snprintf(doing, sizeof doing, "making kernel %.60s (%.120s)", kernel->name, kernel->origin);
    char *awake = run_wake(device, p->wgsl);
    if (!awake) {
        destroy(g, p);
        return base_set_error(err, WHORL_MEMORY, "device", "out of memory making kernel %s", kernel->name);
    }
    run_gpu_push_scopes(g);
    make_pipeline(device, p, awake);
    base_heap_free(awake);
    status = run_gpu_pop_scopes(g, doing, err);
    if (status == WHORL_OK && !p->pipeline)
        status = base_set_error(err, WHORL_DEVICE, "device", "%s: the device gave none", doing);
    if (status != WHORL_OK) {
        destroy(g, p);
        return status;
    }
    all->items[all->count++] = *out = p;
    return WHORL_OK;
}

void run_pipeline_drop(struct run_pipeline *pipeline) {
    if (pipeline) pipeline->users--;
}

void run_pipelines_deinit(struct whorl_device *device) {
    for (size_t i = 0; i < device->pipelines.count; i++)
        destroy(device->gpu, device->pipelines.items[i]);
    base_heap_free(device->pipelines.items);
    device->pipelines = (struct run_pipelines){0};
}
