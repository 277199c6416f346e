// One opened GPU behind a WebGPU library: the table of its functions, the device, and the checked calls that the rest
// of the room uses.
//
// Every call that can fail goes through a function here or in gpu.c, so that one hook (run_gpu_fail_at) can make any of
// them fail, and so that no error is lost: creates and submits stand inside error scopes, whatever else the library
// reports lands in run_gpu.error and ends the next check.
#ifndef WHORL_RUN_GPU_H
#define WHORL_RUN_GPU_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/base.h"
#include "webgpu.h"
#include "wgpu.h"

// The functions of webgpu.h that whorl calls: name without the prefix.
#define RUN_PROCS(X)                        \
    X(CreateInstance)                       \
    X(InstanceRequestAdapter)               \
    X(InstanceProcessEvents)                \
    X(InstanceRelease)                      \
    X(AdapterGetInfo)                       \
    X(AdapterInfoFreeMembers)               \
    X(AdapterGetLimits)                     \
    X(AdapterHasFeature)                    \
    X(AdapterRequestDevice)                 \
    X(AdapterRelease)                       \
    X(DeviceGetQueue)                       \
    X(DeviceCreateBuffer)                   \
    X(DeviceCreateShaderModule)             \
    X(DeviceCreateBindGroupLayout)          \
    X(DeviceCreatePipelineLayout)           \
    X(DeviceCreateComputePipeline)          \
    X(DeviceCreateBindGroup)                \
    X(DeviceCreateCommandEncoder)           \
    X(DevicePushErrorScope)                 \
    X(DevicePopErrorScope)                  \
    X(DeviceDestroy)                        \
    X(DeviceRelease)                        \
    X(QueueSubmit)                          \
    X(QueueWriteBuffer)                     \
    X(QueueRelease)                         \
    X(CommandEncoderBeginComputePass)       \
    X(CommandEncoderClearBuffer)            \
    X(CommandEncoderCopyBufferToBuffer)     \
    X(CommandEncoderFinish)                 \
    X(CommandEncoderRelease)                \
    X(CommandBufferRelease)                 \
    X(ComputePassEncoderSetPipeline)        \
    X(ComputePassEncoderSetBindGroup)       \
    X(ComputePassEncoderDispatchWorkgroups) \
    X(ComputePassEncoderEnd)                \
    X(ComputePassEncoderRelease)            \
    X(BufferMapAsync)                       \
    X(BufferGetConstMappedRange)            \
    X(BufferUnmap)                          \
    X(BufferDestroy)                        \
    X(BufferRelease)                        \
    X(ShaderModuleRelease)                  \
    X(BindGroupLayoutRelease)               \
    X(PipelineLayoutRelease)                \
    X(ComputePipelineRelease)               \
    X(BindGroupRelease)

// Which dialect of webgpu.h the library speaks; the differences are wgpu_conv.c's.
enum run_abi { RUN_ABI_WGPU_NATIVE_29, RUN_ABI_DAWN_2025 };

struct run_library {
    enum run_abi abi;
    char path[512];
    char version[64]; // "wgpu-native 29.0.1.1"
#define X(name) WGPUProc##name name;
    RUN_PROCS(X)
#undef X
    // wgpu-native's own
    size_t (*InstanceEnumerateAdapters)(WGPUInstance, WGPUInstanceEnumerateAdapterOptions const *, WGPUAdapter *);
    WGPUBool (*DevicePoll)(WGPUDevice, WGPUBool, WGPUSubmissionIndex const *);
    WGPUShaderModule (*DeviceCreateShaderModuleTrusted)(WGPUDevice, WGPUShaderModuleDescriptor const *,
                                                        WGPUShaderRuntimeChecks);
};

// ---- library.c, wgpu_conv.c -----------------------------------------------------------------------------------------
// Finds and loads the library (`path`, or WHORL_WEBGPU, or paths.conf, or the system's). The library itself stays
// loaded for ever: none of them can be unloaded safely.
enum whorl_status run_library_open(const char *path, struct run_library *out, struct whorl_error *err);
// Turns to the software Vulkan driver of paths.conf, for instances made from now on. False if there is none or the user
// chose one.
bool run_library_use_software(void);
// Chooses the dialect and fills the table from the dlopen'ed handle.
enum whorl_status run_conv_load(struct run_library *lib, void *handle, struct whorl_error *err);
WGPUInstance run_conv_instance(const struct run_library *lib);
enum { RUN_MAX_ADAPTERS = 16 };
// All adapters; the caller releases them.
size_t run_conv_adapters(const struct run_library *lib, WGPUInstance instance, WGPUAdapter out[RUN_MAX_ADAPTERS]);
enum run_feature { RUN_TIMESTAMP, RUN_F16, RUN_SUBGROUPS, RUN_INT64, RUN_COHERENT, RUN_FLOAT_ATOMICS, RUN_FEATURES };
// 0: the library has no such feature.
WGPUFeatureName run_conv_feature(const struct run_library *lib, enum run_feature feature);
// What stands in front of a kernel that uses subgroup functions.
const char *run_conv_subgroup_head(const struct run_library *lib);
// How many of the filters validation, out of memory, internal the library takes.
int run_conv_filters(const struct run_library *lib);
// Lets the library make progress and call back, without blocking.
void run_conv_pump(const struct run_library *lib, WGPUInstance instance, WGPUDevice device);
void run_copy_view(char *out, size_t size, WGPUStringView view);

// ---- gpu.c ----------------------------------------------------------------------------------------------------------
// Of whoever waits for the device: until when, and whom to ask. Set for the time of a run.
struct run_patience {
    double start_s, deadline_s;              // deadline: 0: none
    const struct whorl_run_options *options; // NULL: nobody to ask
    double fraction, asked_s;                // what is done; when progress was last called
    uint64_t slice, dispatches;
    double refused_s; // when progress first said no; 0: it has not
};
struct run_gpu {
    struct run_library lib;
    WGPUInstance instance;
    WGPUDevice device;
    WGPUQueue queue;
    WGPULimits limits;
    bool is_software, has_int64, has_coherent, has_float_atomics;
    // Told by callbacks of the library, on threads of its own, and heard by threads that make a kernel.
    atomic_bool lost;
    atomic_bool stuck; // given up by us: the driver may block for ever when asked to clean up, so nothing is released
    struct run_gpu *next_stuck;
    pthread_mutex_t error_lock;
    char error[1024]; // under it: the first error outside any scope since the last check; "" none
    double timeout_s; // without any progress
    struct run_patience patience;
    _Atomic uint64_t map_serial;
    atomic_int map_status; // of the map request `map_serial`; 0 while it waits
    struct {
        uint64_t dispatches, submits;
    } counts;
};

// Opens the adapter with all of its limits and the features whorl knows. On failure nothing is left behind; the
// instance passes to the gpu only on success.
enum whorl_status run_gpu_open(const struct run_library *lib, WGPUInstance instance, WGPUAdapter adapter,
                               bool is_software, struct run_gpu **out, struct whorl_error *err);
void run_gpu_close(struct run_gpu *g);

enum whorl_status run_gpu_buffer(struct run_gpu *g, const char *name, uint64_t size_bytes, WGPUBufferUsage usage,
                                 WGPUBuffer *out, struct whorl_error *err);
void run_gpu_drop_buffer(struct run_gpu *g, WGPUBuffer *buffer);
// Queues the bytes (a multiple of 4) for writing before the next submit.
enum whorl_status run_gpu_write(struct run_gpu *g, WGPUBuffer buffer, uint64_t offset, const void *data,
                                size_t size_bytes, struct whorl_error *err);
// Maps `size_bytes` from the start of a MapRead buffer after all submitted work; the caller copies and calls
// BufferUnmap. Sleeps between polls; `timeout_s` without an answer makes the gpu lost and gives WHORL_TIMEOUT.
enum whorl_status run_gpu_map(struct run_gpu *g, WGPUBuffer buffer, size_t size_bytes, double timeout_s,
                              const void **out, struct whorl_error *err);
// WHORL_STOPPED if the deadline of the run is well over, WHORL_CANCELLED if it waits long already and progress says so.
// `making`: "making kernel ..."; NULL: a slice runs.
enum whorl_status run_gpu_impatient(struct run_gpu *g, const char *making, double waited_s, struct whorl_error *err);
// The device is left as it is, for ever: something of it is under way that cannot be stopped.
void run_gpu_give_up(struct run_gpu *g);
void run_gpu_push_scopes(struct run_gpu *g);
// WHORL_DEVICE (or WHORL_MEMORY) with the message of the first error since run_gpu_push_scopes, or of an error outside
// any scope.
enum whorl_status run_gpu_pop_scopes(struct run_gpu *g, const char *doing, struct whorl_error *err);
// Submits the commands and releases them.
void run_gpu_submit(struct run_gpu *g, WGPUCommandBuffer commands);
// Test hook: the device is lost with the Nth submit from now, and with each `again` submits after that; 0: never.
// Returns the submits seen since the last call.
uint64_t run_gpu_lose_at(uint64_t nth, uint64_t again);
// True if errors were the loss of the device, which libraries tell late; `err`: the last of them.
bool run_gpu_was_lost(struct run_gpu *g, const struct whorl_error *err);
// Test hook: the Nth call of a checked function from now fails (once); 0: none. Returns the calls seen since the last
// call.
uint64_t run_gpu_fail_at(uint64_t nth);
// True if this call is the one that is to fail.
bool run_gpu_fault(void);

double run_now_s(void);

#endif
