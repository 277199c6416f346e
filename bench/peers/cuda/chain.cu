// programs/sims/chain.c: a warp holds a row of 1,024 columns in registers, so that every byte is moved once.
#include "common.cuh"

enum { LOADS = 8 }; // of four columns, a lane

// GELU as v times a sigmoid: (1 + tanh u) / 2 = 1 / (1 + exp(-2 u)).
static __device__ __forceinline__ float finished(float v, float bias, bool kept) {
    v += bias;
    return kept ? __fdividef(v, 1.0f + __expf(-1.59576912f * (v + 0.044715f * v * v * v))) * (8.0f / 7.0f) : 0.0f;
}

static __global__ void __launch_bounds__(256) chain_rows(int rows, const float4 *x, const float4 *bias, const uchar4 *mask, float4 *y) {
    int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    size_t first = (size_t)row * 256 + lane;
    float4 v[LOADS];
    uchar4 kept[LOADS];
    float sum = 0.0f, squares = 0.0f;
#pragma unroll
    for (int k = 0; k < LOADS; k++)
        v[k] = __ldcs(x + first + 32 * k);
#pragma unroll
    for (int k = 0; k < LOADS; k++)
        kept[k] = __ldcs(mask + first + 32 * k);
#pragma unroll
    for (int k = 0; k < LOADS; k++)
        sum += (v[k].x + v[k].y) + (v[k].z + v[k].w);
    float mean = lanes_sum<32>(sum) * (1.0f / 1024.0f);
#pragma unroll
    for (int k = 0; k < LOADS; k++) {
        v[k] = make_float4(v[k].x - mean, v[k].y - mean, v[k].z - mean, v[k].w - mean);
        squares += (v[k].x * v[k].x + v[k].y * v[k].y) + (v[k].z * v[k].z + v[k].w * v[k].w);
    }
    float scale = rsqrtf(lanes_sum<32>(squares) * (1.0f / 1024.0f) + 1e-5f);
#pragma unroll
    for (int k = 0; k < LOADS; k++) {
        float4 b = __ldg(bias + 32 * k + lane);
        __stcs(y + first + 32 * k, make_float4(finished(v[k].x * scale, b.x, kept[k].x), finished(v[k].y * scale, b.y, kept[k].y),
                                               finished(v[k].z * scale, b.z, kept[k].z), finished(v[k].w * scale, b.w, kept[k].w)));
    }
}

extern "C" int chain(int threads, int rows, const float4 *x, const float4 *bias, const uchar4 *mask, float4 *y) {
    int warps = threads / 32;
    return launch(false, chain_rows, (rows + warps - 1) / warps, threads, rows, x, bias, mask, y);
}
