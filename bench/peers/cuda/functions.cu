// The five test functions of programs/sims: WARPS warps a row, 16 bytes a load, everything in one pass.
#include "common.cuh"

enum { SPHERE, RASTRIGIN, ACKLEY, GRIEWANK, SCHWEFEL, BLOCK = 128 };

// Arguments are reduced exactly by sincospi's way of measuring them in half turns; with --use_fast_math the device's own are taken.
#ifdef FAST
static __device__ __forceinline__ float cosine_of_turns(float x) { return __cosf(6.28318530717958647692f * x); }
static __device__ __forceinline__ float cosine(float x) { return __cosf(x); }
static __device__ __forceinline__ float sine(float x) { return __sinf(x); }
#else
static __device__ __forceinline__ float cosine_of_turns(float x) { return cospif(2.0f * x); }
static __device__ __forceinline__ float cosine(float x) { return cospif(0.318309886183790672f * x); }
static __device__ __forceinline__ float sine(float x) { return sinpif(0.318309886183790672f * x); }
#endif

// What a row adds up to: two sums, of which Griewank's second is a product.
template <int F> struct tally {
    float a, b;
    __device__ tally() : a(0.0f), b(F == GRIEWANK ? 1.0f : 0.0f) {}
    __device__ void take(float x, int column) {
        if (F == SPHERE) a += x * x;
        if (F == RASTRIGIN) a += x * x - 10.0f * cosine_of_turns(x);
        if (F == ACKLEY) a += x * x, b += cosine_of_turns(x);
        if (F == GRIEWANK) a += x * x, b *= cosine(x * rsqrtf((float)(column + 1)));
        if (F == SCHWEFEL) a += x * sine(sqrtf(fabsf(x)));
    }
    __device__ void join(float other_a, float other_b) {
        a += other_a;
        b = F == GRIEWANK ? b * other_b : b + other_b;
    }
    __device__ float fitness(int columns) const {
        float n = (float)columns;
        if (F == SPHERE) return -a;
        if (F == RASTRIGIN) return -(10.0f * n + a);
        if (F == ACKLEY) return -(20.0f + 2.71828182845904523536f - 20.0f * expf(-0.2f * sqrtf(a / n)) - expf(b / n));
        if (F == GRIEWANK) return -(1.0f + a / 4000.0f - b);
        return -(418.9829f * n - a);
    }
};

template <int F, int WARPS>
static __global__ void __launch_bounds__(BLOCK) evaluate(int rows, int columns, const float4 *x, float *fitness) {
    __shared__ float parts[2][BLOCK / 32];
    const int per_row = 32 * WARPS, row = blockIdx.x * (BLOCK / per_row) + threadIdx.x / per_row, lane = threadIdx.x % per_row;
    tally<F> sum;
    if (row < rows)
#pragma unroll 4
        for (int k = lane; k < columns / 4; k += per_row) {
            float4 v = __ldg(x + (size_t)row * (columns / 4) + k);
            sum.take(v.x, 4 * k);
            sum.take(v.y, 4 * k + 1);
            sum.take(v.z, 4 * k + 2);
            sum.take(v.w, 4 * k + 3);
        }
    for (int d = 16; d > 0; d /= 2) {
        float a = __shfl_xor_sync(0xffffffffu, sum.a, d), b = __shfl_xor_sync(0xffffffffu, sum.b, d);
        sum.join(a, b);
    }
    if (WARPS > 1) {
        int warp = threadIdx.x / 32;
        if (threadIdx.x % 32 == 0) parts[0][warp] = sum.a, parts[1][warp] = sum.b;
        __syncthreads();
        if (lane == 0)
            for (int w = 1; w < WARPS; w++)
                sum.join(parts[0][warp + w], parts[1][warp + w]);
    }
    if (lane == 0 && row < rows) fitness[row] = sum.fitness(columns);
}

template <int F> static int start(int warps, int rows, int columns, const float4 *x, float *fitness) {
    auto kernel = warps == 1 ? evaluate<F, 1> : warps == 2 ? evaluate<F, 2> : evaluate<F, 4>;
    int per_block = BLOCK / 32 / warps;
    return launch(false, kernel, (rows + per_block - 1) / per_block, BLOCK, rows, columns, x, fitness);
}

extern "C" int functions(int warps, int which, int rows, int columns, const float4 *x, float *fitness) {
    switch (which) {
    case SPHERE: return start<SPHERE>(warps, rows, columns, x, fitness);
    case RASTRIGIN: return start<RASTRIGIN>(warps, rows, columns, x, fitness);
    case ACKLEY: return start<ACKLEY>(warps, rows, columns, x, fitness);
    case GRIEWANK: return start<GRIEWANK>(warps, rows, columns, x, fitness);
    default: return start<SCHWEFEL>(warps, rows, columns, x, fitness);
    }
}
