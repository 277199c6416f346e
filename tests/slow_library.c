// A stand-in for the WebGPU library that tests/ending.sh builds around the real one: making a pipeline never ends, or takes the process
// along. All other functions are the real library's, which this one is linked with: dlsym finds them there.
//   STAND_IN      sleep, abort or crash
//   STAND_IN_AT   only for kernels whose text has this in it; "": all
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "webgpu.h"
#include "wgpu.h"

static int is_meant; // of the module made last

static void look(const WGPUShaderModuleDescriptor *descriptor) {
    const WGPUShaderSourceWGSL *source = (const void *)descriptor->nextInChain;
    const char *at = getenv("STAND_IN_AT");
    is_meant = at && memmem(source->code.data, source->code.length, at, strlen(at)) != NULL;
}

static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

WGPUShaderModule wgpuDeviceCreateShaderModule(WGPUDevice device, const WGPUShaderModuleDescriptor *descriptor) {
    look(descriptor);
    WGPUProcDeviceCreateShaderModule next = (WGPUProcDeviceCreateShaderModule)real("wgpuDeviceCreateShaderModule");
    return next(device, descriptor);
}

WGPUShaderModule wgpuDeviceCreateShaderModuleTrusted(WGPUDevice device, const WGPUShaderModuleDescriptor *descriptor,
                                                     WGPUShaderRuntimeChecks checks) {
    look(descriptor);
    WGPUShaderModule (*next)(WGPUDevice, const WGPUShaderModuleDescriptor *, WGPUShaderRuntimeChecks) =
        (WGPUShaderModule(*)(WGPUDevice, const WGPUShaderModuleDescriptor *, WGPUShaderRuntimeChecks))real(
            "wgpuDeviceCreateShaderModuleTrusted");
    return next(device, descriptor, checks);
}

WGPUComputePipeline wgpuDeviceCreateComputePipeline(WGPUDevice device,
                                                    const WGPUComputePipelineDescriptor *descriptor) {
    const char *how = getenv("STAND_IN");
    if (is_meant && how && strcmp(how, "abort") == 0) abort();
    if (is_meant && how && strcmp(how, "crash") == 0) *(volatile int *)8 = 0;
    while (is_meant && how && strcmp(how, "sleep") == 0)
        sleep(1000);
    WGPUProcDeviceCreateComputePipeline next =
        (WGPUProcDeviceCreateComputePipeline)real("wgpuDeviceCreateComputePipeline");
    return next(device, descriptor);
}
