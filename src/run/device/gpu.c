// Opening a device, and the checked calls on it. See gpu.h.
//
// Callbacks may come late, even while the device is being released, so what they write into (run_gpu) lives until after
// that.
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "run/device/gpu.h"

static atomic_uint_fast64_t fault_calls = 0, fault_ticket = 0, fault_counted_from = 0;

bool run_gpu_fault(void) {
    uint_fast64_t ticket = atomic_fetch_add(&fault_calls, 1) + 1;
    return ticket == atomic_load(&fault_ticket);
}

uint64_t run_gpu_fail_at(uint64_t nth) {
    uint_fast64_t now = atomic_load(&fault_calls);
    atomic_store(&fault_ticket, nth ? now + nth : 0);
    return (uint64_t)(now - atomic_exchange(&fault_counted_from, now));
}

double run_now_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void sleep_s(double seconds) {
    struct timespec t = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&t, NULL);
}

// ---- opening ----
struct device_answer {
    WGPUDevice device;
    bool done;
    char message[512];
};
static void on_device(WGPURequestDeviceStatus status, WGPUDevice device, WGPUStringView message, void *user,
                      void *unused) {
    (void)unused;
    struct device_answer *answer = user;
    answer->device = status == WGPURequestDeviceStatus_Success ? device : NULL;
    run_copy_view(answer->message, sizeof answer->message, message);
    answer->done = true;
}

static void note(struct run_gpu *g, WGPUStringView message, bool is_loss) {
    pthread_mutex_lock(&g->error_lock);
    if (!g->error[0]) run_copy_view(g->error, sizeof g->error, message);
    if (is_loss) g->lost = true;
    pthread_mutex_unlock(&g->error_lock);
}

static void note_error(struct run_gpu *g, WGPUStringView message) { note(g, message, false); }

static void on_lost(WGPUDevice const *device, WGPUDeviceLostReason reason, WGPUStringView message, void *user,
                    void *unused) {
    (void)device;
    (void)unused;
    struct run_gpu *g = user;
    if (reason == WGPUDeviceLostReason_Destroyed || reason == WGPUDeviceLostReason_CallbackCancelled) return;
    note(g, message, true);
}

static void on_error(WGPUDevice const *device, WGPUErrorType type, WGPUStringView message, void *user, void *unused) {
    (void)device;
    (void)type;
    (void)unused;
    note_error(user, message);
}

static WGPUDevice request_device(struct run_gpu *g, WGPUAdapter adapter, struct whorl_error *err) {
    const struct run_library *lib = &g->lib;
    union { // GetLimits of a newer library may write more than this header's struct
        WGPULimits limits;
        char room[512];
    } limits;
    memset(&limits, 0, sizeof limits);
    if (run_gpu_fault() || lib->AdapterGetLimits(adapter, &limits.limits) != WGPUStatus_Success) {
        base_set_error(err, WHORL_DEVICE, "device", "the adapter does not tell its limits");
        return NULL;
    }
    limits.limits.nextInChain = NULL;
    g->limits = limits.limits;
    WGPUFeatureName features[RUN_FEATURES];
    size_t count = 0;
    for (int f = 0; f < RUN_FEATURES; f++) {
        WGPUFeatureName name = run_conv_feature(lib, (enum run_feature)f);
        if (name == 0 || !lib->AdapterHasFeature(adapter, name)) continue;
        features[count++] = name;
        g->has_int64 = g->has_int64 || f == RUN_INT64;
        g->has_coherent = g->has_coherent || f == RUN_COHERENT;
        g->has_float_atomics = g->has_float_atomics || f == RUN_FLOAT_ATOMICS;
    }
    WGPUDeviceDescriptor descriptor = {
        .requiredFeatureCount = count,
        .requiredFeatures = features,
        .requiredLimits = &limits.limits,
        .deviceLostCallbackInfo = {.mode = WGPUCallbackMode_AllowSpontaneous, .callback = on_lost, .userdata1 = g},
        .uncapturedErrorCallbackInfo = {.callback = on_error, .userdata1 = g},
    };
    struct device_answer answer = {0};
    if (run_gpu_fault()) {
        base_set_error(err, WHORL_DEVICE, "device", "the adapter gives no device: injected failure");
        return NULL;
    }
    lib->AdapterRequestDevice(adapter, &descriptor,
                              (WGPURequestDeviceCallbackInfo){.mode = WGPUCallbackMode_AllowProcessEvents,
                                                              .callback = on_device,
                                                              .userdata1 = &answer});
    for (int i = 0; i < 100000 && !answer.done; i++)
        lib->InstanceProcessEvents(g->instance);
    if (!answer.device)
        base_set_error(err, WHORL_DEVICE, "device", "the adapter gives no device: %s",
                       answer.done ? answer.message : "no answer");
    return answer.device;
}

// The process that opened a GPU first. A driver has threads, which a child of fork has not: there it would wait for
// them without end.
static atomic_int opened_by = 0;

static bool is_forked(void) {
    int none = 0, self = (int)getpid();
    return !atomic_compare_exchange_strong(&opened_by, &none, self) && none != self;
}

enum whorl_status run_gpu_open(const struct run_library *lib, WGPUInstance instance, WGPUAdapter adapter,
                               bool is_software, struct run_gpu **out, struct whorl_error *err) {
    *out = NULL;
    if (is_forked())
        return base_set_error(err, WHORL_DEVICE, "device",
                              "this process was forked from one that had opened a GPU, and drivers do not go on in a "
                              "child: fork before the first use of a GPU, or begin a new process instead (of "
                              "Python's multiprocessing: the context \"spawn\")");
    struct run_gpu *g = base_heap_alloc(sizeof *g);
    if (!g) return base_set_error(err, WHORL_MEMORY, "device", "out of memory opening the device");
    memset(g, 0, sizeof *g);
    pthread_mutex_init(&g->error_lock, NULL);
    g->lib = *lib;
    g->instance = instance;
    g->is_software = is_software;
    g->timeout_s = 60;
    g->device = request_device(g, adapter, err);
    if (!g->device) goto no_device;
    g->queue = run_gpu_fault() ? NULL : lib->DeviceGetQueue(g->device);
    if (!g->queue) {
        base_set_error(err, WHORL_DEVICE, "device", "the device has no queue");
        goto no_queue;
    }
    *out = g;
    return WHORL_OK;
no_queue:
    lib->DeviceRelease(g->device);
no_device:
    pthread_mutex_destroy(&g->error_lock);
    base_heap_free(g);
    return WHORL_DEVICE;
}

// Gpus that cannot be cleaned up are kept, since callbacks may still write into them.
static _Atomic(struct run_gpu *) stuck_gpus;

void run_gpu_close(struct run_gpu *g) {
    if (!g) return;
    if (g->stuck) {
        g->next_stuck = atomic_exchange(&stuck_gpus, g);
        return;
    }
    g->lib.QueueRelease(g->queue);
    g->lib.DeviceDestroy(g->device);
    g->lib.DeviceRelease(g->device);
    g->lib.InstanceProcessEvents(g->instance);
    g->lib.InstanceRelease(g->instance);
    pthread_mutex_destroy(&g->error_lock);
    base_heap_free(g);
}

// ---- errors ----
static enum whorl_status take_error(struct run_gpu *g, const char *doing, struct whorl_error *err) {
    char error[sizeof g->error];
    error[0] = 0;
    pthread_mutex_lock(&g->error_lock);
    bool lost = g->lost;
    if (g->error[0]) memcpy(error, g->error, sizeof error);
    if (!lost) g->error[0] = 0;
    pthread_mutex_unlock(&g->error_lock);
    if (!error[0] && !lost) return WHORL_OK;
    return base_set_error(err, WHORL_DEVICE, "device", "%s%s: %s", lost ? "the device was lost while " : "", doing,
                          error[0] ? error : "no message");
}

static void inject(struct run_gpu *g) {
    static const char text[] = "injected failure";
    note_error(g, (WGPUStringView){text, sizeof text - 1});
}

static const WGPUErrorFilter filters[] = {WGPUErrorFilter_Validation, WGPUErrorFilter_OutOfMemory,
                                          WGPUErrorFilter_Internal};

void run_gpu_push_scopes(struct run_gpu *g) {
    for (int i = 0; i < run_conv_filters(&g->lib); i++)
        g->lib.DevicePushErrorScope(g->device, filters[i]);
}

struct scope_answer {
    int waiting;
    WGPUErrorType type;
    char message[1024];
};
static void on_scope(WGPUPopErrorScopeStatus status, WGPUErrorType type, WGPUStringView message, void *user,
                     void *unused) {
    (void)unused;
    struct scope_answer *answer = user;
    answer->waiting--;
    if (status != WGPUPopErrorScopeStatus_Success || type == WGPUErrorType_NoError || answer->message[0]) return;
    answer->type = type;
    run_copy_view(answer->message, sizeof answer->message, message);
}

enum whorl_status run_gpu_pop_scopes(struct run_gpu *g, const char *doing, struct whorl_error *err) {
    struct scope_answer answer = {.waiting = run_conv_filters(&g->lib)};
    WGPUPopErrorScopeCallbackInfo info = {
        .mode = WGPUCallbackMode_AllowProcessEvents, .callback = on_scope, .userdata1 = &answer};
    for (int i = 0; i < run_conv_filters(&g->lib); i++)
        g->lib.DevicePopErrorScope(g->device, info);
    for (int i = 0; i < 1000 && answer.waiting > 0; i++)
        g->lib.InstanceProcessEvents(g->instance);
    if (run_gpu_fault()) inject(g);
    if (answer.message[0]) {
        bool memory = answer.type == WGPUErrorType_OutOfMemory;
        return base_set_error(err, memory ? WHORL_MEMORY : WHORL_DEVICE, "device", "%s: %s", doing, answer.message);
    }
    return take_error(g, doing, err);
}

// ---- submits, and losses ----
static atomic_uint_fast64_t submits, submits_counted_from, loss_ticket, loss_again;

uint64_t run_gpu_lose_at(uint64_t nth, uint64_t again) {
    uint_fast64_t now = atomic_load(&submits);
    atomic_store(&loss_ticket, nth ? now + nth : 0);
    atomic_store(&loss_again, again);
    return (uint64_t)(now - atomic_exchange(&submits_counted_from, now));
}

void run_gpu_submit(struct run_gpu *g, WGPUCommandBuffer commands) {
    uint_fast64_t ticket = atomic_fetch_add(&submits, 1) + 1;
    g->lib.QueueSubmit(g->queue, 1, &commands);
    g->lib.CommandBufferRelease(commands);
    if (ticket != atomic_load(&loss_ticket)) return;
    uint_fast64_t again = atomic_load(&loss_again);
    atomic_store(&loss_ticket, again ? ticket + again : 0);
    g->lib.DeviceDestroy(g->device); // whatever is under way ends nowhere, every call from here on fails
    pthread_mutex_lock(&g->error_lock);
    snprintf(g->error, sizeof g->error, "injected loss");
    pthread_mutex_unlock(&g->error_lock);
    g->lost = true;
}

bool run_gpu_was_lost(struct run_gpu *g, const struct whorl_error *err) {
    static const char *const words[] = {"device is lost", "Device is lost", "device lost", "DeviceLost"};
    for (int i = 0; i < 10 && !g->lost; i++)
        run_conv_pump(&g->lib, g->instance, g->device);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(err->message, words[i])) g->lost = true;
    return g->lost;
}

// ---- buffers ----
enum whorl_status run_gpu_buffer(struct run_gpu *g, const char *name, uint64_t size_bytes, WGPUBufferUsage usage,
                                 WGPUBuffer *out, struct whorl_error *err) {
    char doing[160];
    snprintf(doing, sizeof doing, "making the buffer '%.80s' of %llu bytes", name, (unsigned long long)size_bytes);
    run_gpu_push_scopes(g);
    WGPUBufferDescriptor descriptor = {.label = {name, strlen(name)}, .usage = usage, .size = size_bytes};
    *out = run_gpu_fault() ? NULL : g->lib.DeviceCreateBuffer(g->device, &descriptor);
    enum whorl_status status = run_gpu_pop_scopes(g, doing, err);
    if (status == WHORL_OK && !*out)
        status = base_set_error(err, WHORL_MEMORY, "device", "%s: the device gave none", doing);
    if (status != WHORL_OK) run_gpu_drop_buffer(g, out);
    return status;
}

void run_gpu_drop_buffer(struct run_gpu *g, WGPUBuffer *buffer) {
    if (*buffer && !g->stuck) {
        g->lib.BufferDestroy(*buffer);
        g->lib.BufferRelease(*buffer);
    }
    *buffer = NULL;
}

enum whorl_status run_gpu_write(struct run_gpu *g, WGPUBuffer buffer, uint64_t offset, const void *data,
                                size_t size_bytes, struct whorl_error *err) {
    if (run_gpu_fault())
        inject(g);
    else
        g->lib.QueueWriteBuffer(g->queue, buffer, offset, data, size_bytes);
    return take_error(g, "uploading", err);
}

static void on_map(WGPUMapAsyncStatus status, WGPUStringView message, void *user, void *serial) {
    struct run_gpu *g = user;
    if ((uintptr_t)serial != (uintptr_t)g->map_serial) return;
    if (status != WGPUMapAsyncStatus_Success) note_error(g, message);
    g->map_status = (int)status;
}

// Progress hears of slices. While one takes much longer than it should, or while a kernel is made, it is asked here,
// since neither may ever end. After a no, or the deadline, there is a second more: it may be done by then.
static const double late_s = 1;

static double slow_s(const struct run_patience *p) {
    double slice_s = p->options ? p->options->slice_ms * 1e-3 : 0;
    return slice_s > 1 ? 2 * slice_s : 2;
}

enum whorl_status run_gpu_impatient(struct run_gpu *g, const char *making, double waited_s, struct whorl_error *err) {
    struct run_patience *p = &g->patience;
    const char *what = making ? making : "a slice ran that did not come to its end";
    double now = run_now_s();
    if (p->deadline_s > 0 && now > p->deadline_s + late_s)
        return base_set_error(err, WHORL_STOPPED, "run", "stopped while %s: the time given to it is over", what);
    if (waited_s < slow_s(p) || !p->options || !p->options->progress || now < p->asked_s + 0.1) return WHORL_OK;
    p->asked_s = now;
    struct whorl_progress progress = {.fraction = p->fraction,
                                      .slice = p->slice,
                                      .elapsed_s = now - p->start_s,
                                      .dispatches = p->dispatches,
                                      .doing = making};
    if (p->options->progress(p->options->user, &progress)) return WHORL_OK;
    if (p->refused_s == 0) p->refused_s = now;
    if (now < p->refused_s + late_s) return WHORL_OK; // a slice that is done by then can still be kept
    return base_set_error(err, WHORL_CANCELLED, "run", "cancelled while %s", what);
}

void run_gpu_give_up(struct run_gpu *g) { g->lost = g->stuck = true; }

// How long to sleep before the next look, having waited this long. A hardware GPU is watched without sleep for the
// first 10 ms, since a sleep of one microsecond takes over fifty. After that a look comes every hundredth of the time
// so far, so that no call gets more than a hundredth longer. A software GPU needs the cores itself, so that one sleeps
// from the beginning.
static double pause_s(const struct run_gpu *g, double waited_s) {
    double shortest = 20e-6, longest = 2e-3, share = g->is_software ? 1.0 / 16 : 1.0 / 100;
    if (!g->is_software && waited_s < 10e-3) return 0;
    return waited_s * share < shortest ? shortest : waited_s * share > longest ? longest : waited_s * share;
}

static enum whorl_status wait_for_map(struct run_gpu *g, double timeout_s, struct whorl_error *err) {
    double start = run_now_s();
    for (;;) {
        run_conv_pump(&g->lib, g->instance, g->device);
        if (g->map_status != 0) return WHORL_OK;
        double waited = run_now_s() - start;
        if (g->lost) return take_error(g, "waiting for it", err);
        enum whorl_status status = run_gpu_impatient(g, NULL, waited, err);
        if (status != WHORL_OK) {
            run_gpu_give_up(g);
            return status;
        }
        if (waited > timeout_s) {
            run_gpu_give_up(g);
            return base_set_error(err, WHORL_TIMEOUT, "device", "the device did not answer for %.0f s", timeout_s);
        }
        double pause = pause_s(g, waited);
        if (pause > 0)
            sleep_s(pause);
        else
            sched_yield();
    }
}

enum whorl_status run_gpu_map(struct run_gpu *g, WGPUBuffer buffer, size_t size_bytes, double timeout_s,
                              const void **out, struct whorl_error *err) {
    *out = NULL;
    enum whorl_status status = take_error(g, "waiting for the device", err);
    if (status != WHORL_OK) return status;
    g->map_serial++;
    g->map_status = 0;
    if (run_gpu_fault()) return base_set_error(err, WHORL_DEVICE, "device", "reading back: injected failure");
    g->lib.BufferMapAsync(buffer, WGPUMapMode_Read, 0, size_bytes,
                          (WGPUBufferMapCallbackInfo){.mode = WGPUCallbackMode_AllowProcessEvents,
                                                      .callback = on_map,
                                                      .userdata1 = g,
                                                      .userdata2 = (void *)(uintptr_t)g->map_serial});
    status = wait_for_map(g, timeout_s, err);
    if (status != WHORL_OK) return status;
    bool mapped = g->map_status == (int)WGPUMapAsyncStatus_Success;
    *out = mapped && !run_gpu_fault() ? g->lib.BufferGetConstMappedRange(buffer, 0, size_bytes) : NULL;
    if (mapped && !*out) g->lib.BufferUnmap(buffer);
    status = take_error(g, "reading back", err);
    if (status == WHORL_OK && !*out)
        status = base_set_error(err, WHORL_DEVICE, "device", "reading back: the buffer cannot be mapped");
    if (status != WHORL_OK && *out) {
        g->lib.BufferUnmap(buffer);
        *out = NULL;
    }
    return status;
}
