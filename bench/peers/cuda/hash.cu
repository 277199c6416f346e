// programs/sims/montecarlo_hash.c: a block a worker, whose threads take points in turn.
#include "common.cuh"

enum { THREADS = 256 };

static __device__ __forceinline__ uint32_t mixed(uint32_t word) {
    word = (word ^ word >> 16) * 0x7FEB352Du;
    word = (word ^ word >> 15) * 0x846CA68Bu;
    return word ^ word >> 16;
}

static __global__ void __launch_bounds__(THREADS) count_points(int points, uint32_t seed, uint32_t *count, float *estimate) {
    __shared__ uint32_t sums[THREADS / 32];
    uint32_t hits = 0, first = blockIdx.x * (uint32_t)points + mixed(seed);
#pragma unroll 8
    for (int k = threadIdx.x; k < points; k += THREADS) {
        uint32_t word = mixed(first + (uint32_t)k), x = (word >> 16) | 1u, y = (word & 0xffffu) | 1u;
        hits += x * x + y * y >= x * x;
    }
    hits = __reduce_add_sync(0xffffffffu, hits);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = hits;
    __syncthreads();
    if (threadIdx.x > 0) return;
    hits = 0;
    for (int k = 0; k < THREADS / 32; k++)
        hits += sums[k];
    count[blockIdx.x] = hits;
    estimate[blockIdx.x] = 4.0f * (float)hits / (float)points;
}

extern "C" int pi_hash(int workers, int points, uint32_t seed, uint32_t *count, float *estimate) {
    return launch(false, count_points, workers, THREADS, points, seed, count, estimate);
}
