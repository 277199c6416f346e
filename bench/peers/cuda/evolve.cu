// programs/evolve/ga_rastrigin.c with the program's own random numbers: a launch a generation, a block a child, four genes a thread and block of
// Philox; the leader and the best fitness of a generation by one atomic word.
#include "common.cuh"
#include "device_c.cuh"

enum { THREADS = 128 };

static __device__ __forceinline__ float term(float x) {
#ifdef FAST
    return x * x - 10.0f * __cosf(6.28318530717958647692f * x);
#else
    return x * x - 10.0f * cospif(2.0f * x);
#endif
}

// The greater fitness, and of equals the lower place, is the greater word.
static __device__ __forceinline__ unsigned long long rank_of(float fitness, unsigned place) {
    unsigned bits = __float_as_uint(fitness);
    bits = bits >> 31 ? ~bits : bits | 0x80000000u;
    return (unsigned long long)bits << 32 | (0xffffffffu - place);
}
static __device__ __forceinline__ float fitness_of(unsigned long long rank) {
    unsigned bits = (unsigned)(rank >> 32);
    return __uint_as_float(bits >> 31 ? bits & 0x7fffffffu : ~bits);
}

static __device__ void judge(float sum, int dim, float *scores, unsigned long long *top) {
    __shared__ float parts[THREADS / 32];
    sum = lanes_sum<32>(sum);
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x) return;
    for (int w = 1; w < (int)blockDim.x / 32; w++)
        sum += parts[w];
    float fitness = -(10.0f * (float)dim + sum);
    scores[blockIdx.x] = fitness;
    atomicMax(top, rank_of(fitness, blockIdx.x));
}

static __global__ void __launch_bounds__(THREADS) first_generation(int dim, const float4 *population, float *scores, unsigned long long *tops) {
    float sum = 0.0f;
    for (int k = threadIdx.x; k < dim / 4; k += blockDim.x) {
        float4 x = population[(size_t)blockIdx.x * (dim / 4) + k];
        sum += term(x.x) + term(x.y) + term(x.z) + term(x.w);
    }
    judge(sum, dim, scores, tops);
}

// tops[g]: the best of generation g.
static __global__ void __launch_bounds__(THREADS)
    next_generation(int pop, int dim, int g, uint32_t generation, uint32_t seed, float sigma, const float4 *now, float4 *next, const float *scores,
                    float *next_scores, unsigned long long *tops) {
    __shared__ int parents[2];
    uint32_t child = blockIdx.x;
    if (threadIdx.x < 2)
        parents[threadIdx.x] = child == 0 ? (int)(0xffffffffu - (unsigned)tops[g - 1])
                                          : genetic_tournament(scores, pop, threadIdx.x == 0 ? GENETIC_MOTHER : GENETIC_FATHER, child, generation, seed);
    __syncthreads();
    const float4 *mother = now + (size_t)parents[0] * (dim / 4), *father = now + (size_t)parents[1] * (dim / 4);
    float spread = child ? sigma : 0.0f, sum = 0.0f;
    for (int k = threadIdx.x; k < dim / 4; k += blockDim.x) {
        struct philox r = philox4x32((uint32_t)k, child, generation, GENETIC_GENE, seed, 0);
        float4 m = mother[k], f = father[k], x;
        x.x = (r.x & 1u ? m.x : f.x) + spread * philox_normal01(r.x & ~1u);
        x.y = (r.y & 1u ? m.y : f.y) + spread * philox_normal01(r.y & ~1u);
        x.z = (r.z & 1u ? m.z : f.z) + spread * philox_normal01(r.z & ~1u);
        x.w = (r.w & 1u ? m.w : f.w) + spread * philox_normal01(r.w & ~1u);
        next[(size_t)child * (dim / 4) + k] = x;
        sum += term(x.x) + term(x.y) + term(x.z) + term(x.w);
    }
    judge(sum, dim, next_scores, tops + g);
}

static __global__ void curve(int gens, const unsigned long long *tops, float *best) {
    for (int g = threadIdx.x; g < gens; g += blockDim.x)
        best[g] = fitness_of(tops[g]);
}

// All generations; two populations and two lists of scores change places. tops: 8 bytes a generation.
extern "C" int evolve(int threads, int pop, int dim, int gens, int first, uint32_t seed, float sigma, float4 *population, float4 *other, float *scores,
                      float *other_scores, unsigned long long *tops, float *best) {
    cudaMemsetAsync(tops, 0, sizeof *tops * (size_t)gens, stream());
    int failed = launch(false, first_generation, pop, threads, dim, population, scores, tops);
    for (int g = 1; g < gens && !failed; g++) {
        bool odd = g % 2 == 1;
        failed = launch(false, next_generation, pop, threads, pop, dim, g, (uint32_t)(first + g), seed, sigma, odd ? population : other,
                        odd ? other : population, odd ? scores : other_scores, odd ? other_scores : scores, tops);
    }
    return failed ? failed : launch(false, curve, 1, 256, gens, tops, best);
}
