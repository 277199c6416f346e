// What the peers in CUDA share: memory, waiting and graphs for cuda_peers.py, launching, and sums over a warp's lanes for the kernels.
#pragma once
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <stdint.h>

static cudaStream_t stream() {
    static cudaStream_t made = nullptr;
    if (!made) {
        cudaSetDeviceFlags(cudaDeviceScheduleSpin); // a short call ends when it ends
        cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking);
    }
    return made;
}

// ---- for Python: each returns 0 or CUDA's error, or a pointer that may be null ----

extern "C" void *gpu_new(size_t bytes) {
    void *made = nullptr;
    stream();
    if (cudaMalloc(&made, bytes)) return nullptr;
    cudaMemset(made, 0, bytes);
    cudaDeviceSynchronize();
    return made;
}
extern "C" int gpu_put(void *to, const void *from, size_t bytes) {
    cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream());
    return cudaStreamSynchronize(stream());
}
extern "C" int gpu_get(void *to, const void *from, size_t bytes) {
    cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream());
    return cudaStreamSynchronize(stream());
}
extern "C" int gpu_copy(void *to, const void *from, size_t bytes) {
    return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream());
}
extern "C" int gpu_wait() { return cudaStreamSynchronize(stream()); }
extern "C" int graph_begin() { return cudaStreamBeginCapture(stream(), cudaStreamCaptureModeThreadLocal); }
extern "C" void *graph_end() {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t ready = nullptr;
    if (cudaStreamEndCapture(stream(), &graph) || cudaGraphInstantiate(&ready, graph, 0)) return nullptr;
    cudaGraphDestroy(graph);
    return ready;
}
extern "C" int graph_start(void *ready) { return cudaGraphLaunch((cudaGraphExec_t)ready, stream()); }

// ---- launching; all_at_once: the blocks may wait for each other, and a launch that has no room for all of them fails ----

template <class... P, class... A>
static int launch(bool all_at_once, void (*kernel)(P...), int blocks, int threads, A... arguments) {
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute attribute = {};
    config.gridDim = dim3((unsigned)blocks);
    config.blockDim = dim3((unsigned)threads);
    config.stream = stream();
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    config.attrs = &attribute;
    config.numAttrs = all_at_once ? 1 : 0;
    return cudaLaunchKernelEx(&config, kernel, static_cast<P>(arguments)...);
}

// ---- for kernels ----

// tanh; -DSHORT: by exp of the device.
static __device__ __forceinline__ float hyperbolic(float x) {
#ifdef SHORT
    return 1.0f - __fdividef(2.0f, __expf(2.0f * x) + 1.0f);
#else
    return tanhf(x);
#endif
}

template <int LANES> static __device__ __forceinline__ float lanes_sum(float value) {
#pragma unroll
    for (int d = LANES / 2; d > 0; d /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, d);
    return value;
}

// A barrier of all blocks on a counter that only grows. `target`: blocks times the barriers so far, this one among them.
static __device__ __forceinline__ void blocks_meet(unsigned *counter, unsigned target) {
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned seen;
        asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(counter) : "memory");
        do
            asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(counter) : "memory");
        while ((int)(seen - target) < 0);
    }
    __syncthreads();
}
