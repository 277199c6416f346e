// A stand-in for the WebGPU library that tests/ending.sh and tests/cc.sh build around the real one: making a pipeline never ends (alone, or
// so that no other is made in the process meanwhile, as where a driver has one lock for its compiler), takes the process along, or is followed by the loss of the device. All other functions are the real library's, which this one is linked with: dlsym finds them there.
//   STAND_IN      sleep, block, abort, crash or lose
//   STAND_IN_SUBMIT  lose: with which submit from then on
//   STAND_IN_AT   only for kernels whose text has this in it; "": all
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "webgpu.h"
#include "wgpu.h"

static atomic_int is_blocked;
static int is_meant;     // of the module made last
static WGPUDevice losing; // that is to be lost
static int submits_left;

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
    is_blocked |= is_meant && how && strcmp(how, "block") == 0;
    while (is_blocked || (is_meant && how && strcmp(how, "sleep") == 0))
        sleep(1000);
    if (is_meant && how && strcmp(how, "lose") == 0) {
        const char *submit = getenv("STAND_IN_SUBMIT");
        submits_left = submit ? atoi(submit) : 0;
        losing = device;
    }
    WGPUProcDeviceCreateComputePipeline next =
        (WGPUProcDeviceCreateComputePipeline)real("wgpuDeviceCreateComputePipeline");
    return next(device, descriptor);
}

void wgpuQueueSubmit(WGPUQueue queue, size_t count, const WGPUCommandBuffer *commands) {
    WGPUProcDeviceDestroy destroy = (WGPUProcDeviceDestroy)real("wgpuDeviceDestroy");
    WGPUProcQueueSubmit next = (WGPUProcQueueSubmit)real("wgpuQueueSubmit");
    next(queue, count, commands);
    if (losing && --submits_left == 0) {
        destroy(losing);
        losing = NULL;
    }
}

// A device that was destroyed says so; one that was lost says something else.
static WGPUDeviceLostCallback on_lost;
static void say_lost(WGPUDevice const *device, WGPUDeviceLostReason reason, WGPUStringView message, void *user1,
                     void *user2) {
    (void)reason;
    if (getenv("STAND_IN_SUBMIT") && !losing) on_lost(device, WGPUDeviceLostReason_Unknown, message, user1, user2);
}

WGPUFuture wgpuAdapterRequestDevice(WGPUAdapter adapter, const WGPUDeviceDescriptor *descriptor,
                                    WGPURequestDeviceCallbackInfo answer) {
    WGPUProcAdapterRequestDevice next = (WGPUProcAdapterRequestDevice)real("wgpuAdapterRequestDevice");
    WGPUDeviceDescriptor own = *descriptor;
    on_lost = own.deviceLostCallbackInfo.callback;
    own.deviceLostCallbackInfo.callback = say_lost;
    return next(adapter, &own, answer);
}
