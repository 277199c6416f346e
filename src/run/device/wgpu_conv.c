// The differences between WebGPU libraries, all of them, in one file. webgpu.h is wgpu-native 29's; Dawn of mid-2025
// has the same layouts but for the instance descriptor and other numbers for features.
//
// Never called, since wgpu-native ends the process in them: wgpuInstanceWaitAny, wgpuShaderModuleGetCompilationInfo.
// Shader errors come with their text through the error scope.
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "run/device/gpu.h"

// POSIX lets a data pointer of dlsym hold a function; ISO C has no cast for it.
static void take_symbol(void *handle, const char *name, void *slot) {
    void *symbol = dlsym(handle, name);
    memcpy(slot, &symbol, sizeof symbol);
}

static void ignore_log(WGPULogLevel level, WGPUStringView message, void *userdata) {
    (void)level;
    (void)message;
    (void)userdata;
}

static enum whorl_status choose_abi(struct run_library *lib, void *handle, struct whorl_error *err) {
    uint32_t (*version)(void);
    void *old_dawn = dlsym(handle, "wgpuInstanceRequestAdapter2"), *dawn = dlsym(handle, "wgpuGetInstanceCapabilities");
    take_symbol(handle, "wgpuDevicePoll", &lib->DevicePoll);
    take_symbol(handle, "wgpuGetVersion", &version);
    if (lib->DevicePoll && version) {
        uint32_t v = version();
        snprintf(lib->version, sizeof lib->version, "wgpu-native %u.%u.%u.%u", v >> 24, v >> 16 & 255, v >> 8 & 255,
                 v & 255);
        if (v >> 24 != 29)
            return base_set_error(err, WHORL_DEVICE, "device", "%s is %s; version 29 is needed", lib->path,
                                  lib->version);
        lib->abi = RUN_ABI_WGPU_NATIVE_29;
        void (*set_level)(WGPULogLevel), (*set_log)(WGPULogCallback, void *);
        take_symbol(handle, "wgpuInstanceEnumerateAdapters", &lib->InstanceEnumerateAdapters);
        take_symbol(handle, "wgpuDeviceCreateShaderModuleTrusted", &lib->DeviceCreateShaderModuleTrusted);
        take_symbol(handle, "wgpuSetLogLevel", &set_level);
        take_symbol(handle, "wgpuSetLogCallback", &set_log);
        if (set_log) set_log(ignore_log, NULL);
        if (set_level) set_level(WGPULogLevel_Off);
        return WHORL_OK;
    }
    if (dawn && !old_dawn) {
        lib->abi = RUN_ABI_DAWN_2025;
        snprintf(lib->version, sizeof lib->version, "Dawn (2025)");
        return WHORL_OK;
    }
    return base_set_error(err, WHORL_DEVICE, "device",
                          "%s is not a WebGPU library that whorl knows (wgpu-native 29, or Dawn of mid-2025)",
                          lib->path);
}

enum whorl_status run_conv_load(struct run_library *lib, void *handle, struct whorl_error *err) {
    enum whorl_status status = choose_abi(lib, handle, err);
    if (status != WHORL_OK) return status;
    const char *missing = NULL;
#define X(name)                                    \
    take_symbol(handle, "wgpu" #name, &lib->name); \
    if (!lib->name) missing = "wgpu" #name;
    RUN_PROCS(X)
#undef X
    if (missing)
        return base_set_error(err, WHORL_DEVICE, "device", "%s (%s) has no function %s", lib->path, lib->version,
                              missing);
    return WHORL_OK;
}

WGPUInstance run_conv_instance(const struct run_library *lib) {
    if (run_gpu_fault()) return NULL;
    if (lib->abi == RUN_ABI_DAWN_2025) return lib->CreateInstance(NULL);
    // No OpenGL: it computes less, is slow to start, and its drivers print.
    WGPUInstanceExtras extras = {.chain = {.sType = (WGPUSType)WGPUSType_InstanceExtras},
                                 .backends =
                                     WGPUInstanceBackend_Vulkan | WGPUInstanceBackend_Metal | WGPUInstanceBackend_DX12};
    WGPUInstanceDescriptor descriptor = {.nextInChain = &extras.chain};
    return lib->CreateInstance(&descriptor);
}

struct adapter_answer {
    WGPUAdapter adapter;
    bool done;
};
static void on_adapter(WGPURequestAdapterStatus status, WGPUAdapter adapter, WGPUStringView message, void *user,
                       void *unused) {
    (void)message;
    (void)unused;
    struct adapter_answer *answer = user;
    answer->adapter = status == WGPURequestAdapterStatus_Success ? adapter : NULL;
    answer->done = true;
}

// Dawn lists no adapters: ask for the fast one and for the fallback one.
static size_t dawn_adapters(const struct run_library *lib, WGPUInstance instance, WGPUAdapter *out) {
    size_t count = 0;
    for (int fallback = 0; fallback < 2 && count == 0; fallback++) {
        WGPURequestAdapterOptions options = {.featureLevel = WGPUFeatureLevel_Core,
                                             .powerPreference = WGPUPowerPreference_HighPerformance,
                                             .forceFallbackAdapter = (WGPUBool)fallback};
        struct adapter_answer answer = {0};
        lib->InstanceRequestAdapter(instance, &options,
                                    (WGPURequestAdapterCallbackInfo){.mode = WGPUCallbackMode_AllowProcessEvents,
                                                                     .callback = on_adapter,
                                                                     .userdata1 = &answer});
        for (int i = 0; i < 100000 && !answer.done; i++)
            lib->InstanceProcessEvents(instance);
        if (answer.adapter) out[count++] = answer.adapter;
    }
    return count;
}

size_t run_conv_adapters(const struct run_library *lib, WGPUInstance instance, WGPUAdapter out[RUN_MAX_ADAPTERS]) {
    if (run_gpu_fault()) return 0;
    if (lib->abi == RUN_ABI_DAWN_2025 || !lib->InstanceEnumerateAdapters) return dawn_adapters(lib, instance, out);
    size_t count = lib->InstanceEnumerateAdapters(instance, NULL, NULL);
    if (count == 0) return 0;
    WGPUAdapter *all = base_heap_alloc(count * sizeof *all);
    if (!all) return 0;
    count = lib->InstanceEnumerateAdapters(instance, NULL, all);
    for (size_t i = 0; i < count; i++) {
        if (i < RUN_MAX_ADAPTERS)
            out[i] = all[i];
        else
            lib->AdapterRelease(all[i]);
    }
    base_heap_free(all);
    return count < RUN_MAX_ADAPTERS ? count : RUN_MAX_ADAPTERS;
}

WGPUFeatureName run_conv_feature(const struct run_library *lib, enum run_feature feature) {
    static const uint32_t numbers[RUN_FEATURES][2] = {
        [RUN_TIMESTAMP] = {9, 3},
        [RUN_F16] = {11, 10},
        [RUN_SUBGROUPS] = {WGPUNativeFeature_Subgroup, 17},
        [RUN_INT64] = {WGPUNativeFeature_ShaderInt64, 0},
        [RUN_COHERENT] = {WGPUNativeFeature_MemoryDecorationCoherent, 0},
        [RUN_FLOAT_ATOMICS] = {WGPUNativeFeature_ShaderFloat32Atomic, 0},
    };
    return (WGPUFeatureName)numbers[feature][lib->abi];
}

// wgpu-native refuses the directive and takes the functions without it. Lanes may part as they like around the
// functions here: only those of one iteration exchange values, and they come together (src/pass/lanes/spread.c), which
// Dawn's analysis cannot see.
const char *run_conv_subgroup_head(const struct run_library *lib) {
    return lib->abi == RUN_ABI_WGPU_NATIVE_29 ? "" : "enable subgroups;\ndiagnostic(off, subgroup_uniformity);\n";
}

// wgpu-native ends the process when asked for internal errors, of which it has none.
int run_conv_filters(const struct run_library *lib) { return lib->abi == RUN_ABI_WGPU_NATIVE_29 ? 2 : 3; }

void run_conv_pump(const struct run_library *lib, WGPUInstance instance, WGPUDevice device) {
    if (lib->abi == RUN_ABI_WGPU_NATIVE_29 && device)
        (void)lib->DevicePoll(device, 0, NULL);
    else
        lib->InstanceProcessEvents(instance);
}

void run_copy_view(char *out, size_t size, WGPUStringView view) {
    size_t length = view.data ? (view.length == WGPU_STRLEN ? strlen(view.data) : view.length) : 0;
    if (length >= size) length = size - 1;
    if (length) memcpy(out, view.data, length);
    out[length] = 0;
}
