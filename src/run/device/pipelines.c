// Kernels as pipelines, made once a device and kept. Layouts are explicit: an automatic layout drops bindings that a
// kernel does not use, and then every bind group that names them is invalid.
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "run/device/device.h"

enum { KEPT_UNUSED = 256 }; // pipelines that no session holds are dropped beyond this

static uint32_t storage_bindings(const struct plan_kernel *kernel) {
    return kernel->binding_count + (kernel->resume_words > 0);
}

static bool binding_writable(const struct plan_kernel *kernel, uint32_t i) {
    return i >= kernel->binding_count || kernel->bindings[i].writable;
}

static uint64_t hash_kernel(const struct plan_kernel *kernel, uint32_t param_bytes) {
    uint64_t hash = base_hash(BASE_HASH_START, kernel->wgsl, strlen(kernel->wgsl));
    hash = base_hash(hash, &param_bytes, sizeof param_bytes);
    hash = base_hash(hash, kernel->bounded ? "b" : "u", 1);
    hash = base_hash(hash, kernel->proven ? "p" : "c", 1);
    for (uint32_t i = 0; i < storage_bindings(kernel); i++)
        hash = base_hash(hash, binding_writable(kernel, i) ? "w" : "r", 1);
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
        entries[i].buffer.hasDynamicOffset = i < 2; // the params' slot, the control block
    }
    WGPUBindGroupLayoutDescriptor descriptor = {.entryCount = p->bindings + 2, .entries = entries};
    return run_gpu_fault() ? NULL : g->lib.DeviceCreateBindGroupLayout(g->device, &descriptor);
}

// wgpu-native adds a counter to every loop (some backends' compilers take endless loops as undefined) and a check to
// every index. Both are left out where whorl's compiler has shown that they never act. It has shown nothing of a plan
// from outside.
static WGPUShaderModule make_module(struct run_gpu *g, const struct run_pipeline *p,
                                    const WGPUShaderModuleDescriptor *descriptor) {
    if (run_gpu_fault()) return NULL;
    if ((!p->bounded && !p->proven) || !g->lib.DeviceCreateShaderModuleTrusted)
        return g->lib.DeviceCreateShaderModule(g->device, descriptor);
    WGPUShaderRuntimeChecks checks = (p->proven ? 0 : WGPUShaderRuntimeChecks_BoundsChecks) |
                                     (p->bounded ? 0 : WGPUShaderRuntimeChecks_ForceLoopBounding);
    return g->lib.DeviceCreateShaderModuleTrusted(g->device, descriptor, checks);
}

static void make_pipeline(struct run_gpu *g, struct run_pipeline *p, const char *wgsl) {
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

// ---- in a thread of its own -----------------------------------------------------------------------------------------

struct making {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool done, given_up;
    struct run_gpu *gpu;
    struct run_pipeline *pipeline;
    char *wgsl, doing[256];
    enum whorl_status status;
    struct whorl_error err;
};

static void free_making(struct making *m) {
    pthread_cond_destroy(&m->changed);
    pthread_mutex_destroy(&m->lock);
    base_heap_free(m->wgsl);
    base_heap_free(m);
}

// Error scopes belong to a thread: all of them are here.
static void *make(void *user) {
    struct making *m = user;
    run_gpu_push_scopes(m->gpu);
    make_pipeline(m->gpu, m->pipeline, m->wgsl);
    m->status = run_gpu_pop_scopes(m->gpu, m->doing, &m->err);
    if (m->status == WHORL_OK && !m->pipeline->pipeline)
        m->status = base_set_error(&m->err, WHORL_DEVICE, "device", "%s: the device gave none", m->doing);
    pthread_mutex_lock(&m->lock);
    m->done = true;
    pthread_cond_broadcast(&m->changed);
    bool mine = m->given_up;
    pthread_mutex_unlock(&m->lock);
    if (mine) {
        destroy(m->gpu, m->pipeline);
        free_making(m);
    }
    return NULL;
}

static enum whorl_status too_long(struct whorl_device *device, const struct making *m, struct whorl_error *err) {
    snprintf(device->gave_up, sizeof device->gave_up, "%.150s took more than %g s", m->doing, device->kernel_s);
    return base_set_error(err, WHORL_TIMEOUT, "device", "%s and was given up (--kernel-time, kernel_s)",
                          device->gave_up);
}

// Waits until it is made or is to be waited for no longer, which gives the device up.
static enum whorl_status wait_for(struct whorl_device *device, struct making *m, bool *out_given_up,
                                  struct whorl_error *err) {
    enum whorl_status status = WHORL_OK;
    double start = run_now_s();
    pthread_mutex_lock(&m->lock);
    while (!m->done && status == WHORL_OK) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 50000000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        (void)pthread_cond_timedwait(&m->changed, &m->lock, &until);
        if (m->done) break;
        pthread_mutex_unlock(&m->lock); // the caller's progress may take its time
        double waited_s = run_now_s() - start;
        status = device->kernel_s > 0 && waited_s > device->kernel_s
                     ? too_long(device, m, err)
                     : run_gpu_impatient(m->gpu, m->doing, waited_s, err);
        pthread_mutex_lock(&m->lock);
    }
    *out_given_up = m->given_up = !m->done;
    if (m->given_up) run_gpu_give_up(m->gpu);
    pthread_mutex_unlock(&m->lock);
    return status;
}

// A driver's compiler cannot be stopped, so it runs in a thread that can be left alone. *io_p is NULL if it was left:
// then the pipeline is the thread's. Where no thread can be made it runs here.
static enum whorl_status make_in_thread(struct whorl_device *device, struct run_pipeline **io_p, char *wgsl,
                                        const char *doing, struct whorl_error *err) {
    enum { STACK_BYTES = 64 << 20 }; // compilers recurse by the nesting of what they compile
    struct making *m = base_heap_alloc(sizeof *m);
    if (!m) {
        base_heap_free(wgsl);
        return base_set_error(err, WHORL_MEMORY, "device", "out of memory %s", doing);
    }
    memset(m, 0, sizeof *m);
    m->gpu = device->gpu;
    m->pipeline = *io_p;
    m->wgsl = wgsl;
    snprintf(m->doing, sizeof m->doing, "%s", doing);
    pthread_mutex_init(&m->lock, NULL);
    pthread_cond_init(&m->changed, NULL);
    pthread_t thread;
    pthread_attr_t attributes;
    bool threaded = false, given_up = false;
    if (pthread_attr_init(&attributes) == 0) {
        (void)pthread_attr_setstacksize(&attributes, STACK_BYTES);
        threaded = pthread_create(&thread, &attributes, make, m) == 0;
        pthread_attr_destroy(&attributes);
    }
    if (!threaded) (void)make(m);
    enum whorl_status status = threaded ? wait_for(device, m, &given_up, err) : WHORL_OK;
    if (given_up) {
        *io_p = NULL;
        (void)pthread_detach(thread);
        return status;
    }
    if (threaded) (void)pthread_join(thread, NULL);
    if (status == WHORL_OK && m->status != WHORL_OK && err) *err = m->err;
    if (status == WHORL_OK) status = m->status;
    free_making(m);
    return status;
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
    // A coherent kernel without a grid is the probe's, which finds out whether the memory is coherent. A GPU in
    // software has one workgroup, which shares with nobody.
    if (kernel->coherent && !(kernel->grid ? device->probe.coherent_memory || g->is_software : g->has_coherent))
        return base_set_error(
            err, WHORL_LIMIT, "device",
            "kernel %s (%s) needs memory that stays coherent, which %s does not have here (whorl probe)", kernel->name,
            kernel->origin, device->gpu->lib.version);
    if (kernel->float_atomics && !device->gpu->has_float_atomics)
        return base_set_error(err, WHORL_LIMIT, "device",
                              "kernel %s (%s) adds to floats by atomics of the device, which %s does not have here",
                              kernel->name, kernel->origin, device->gpu->lib.version);
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
    status = make_in_thread(device, &p, awake, doing, err);
    if (status != WHORL_OK) {
        if (p) destroy(g, p);
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
