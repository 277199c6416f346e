// programs/sims/montecarlo_pi.c and options.c with the programs' own random numbers. The blocks of a worker are shared by the threads of a
// block; a path is a thread's, in powers of two, and the last block to end makes the result.
#include "common.cuh"
#include "device_c.cuh"

enum { THREADS = 256 };

static __device__ __forceinline__ uint32_t inside(uint32_t word) {
    uint32_t x = (word >> 16) | 1u, y = (word & 0xffffu) | 1u;
    return x * x + y * y >= x * x ? 1u : 0u;
}

static __global__ void __launch_bounds__(THREADS) count_points(int blocks, uint32_t seed, uint32_t *count, float *estimate) {
    __shared__ uint32_t parts[THREADS / 32];
    uint32_t hits = 0, worker = blockIdx.x;
    for (int b = threadIdx.x; b < blocks; b += THREADS) {
        struct philox r = philox4x32((uint32_t)b, worker, 0, 0, seed, 0);
        hits += inside(r.x) + inside(r.y) + inside(r.z) + inside(r.w);
    }
    hits = __reduce_add_sync(0xffffffffu, hits);
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = hits;
    __syncthreads();
    if (threadIdx.x) return;
    for (int w = 1; w < THREADS / 32; w++)
        hits += parts[w];
    count[worker] = hits;
    estimate[worker] = (float)hits / (float)blocks;
}

extern "C" int pi(int workers, int blocks, uint32_t seed, uint32_t *count, float *estimate) {
    return launch(false, count_points, workers, THREADS, blocks, seed, count, estimate);
}

// ---- options ----

enum { SUMS = 5 };

struct market {
    float spot, strike, drift, shock, discount, closed; // drift and shock: of one date
};

// The table, from memory that all threads of a block read at once.
static __device__ __forceinline__ float normal_of(const uint4 *cells, uint32_t word) {
    uint32_t w = (word << 1) | 1u, octave = (uint32_t)__clz((int)w);
    w <<= octave;
    uint4 cell = cells[octave * 8u + ((w >> 28) & 7u)];
    uint32_t t = w << 4, z = cell.z - __umulhi(t, cell.w);
    z = cell.y - __umulhi(t, z);
    z = cell.x - __umulhi(t, z);
    float size = (float)((z + 64u) >> 7) * 0x1p-21f;
    return word >> 31 ? -size : size;
}

static __global__ void __launch_bounds__(THREADS)
    follow(int paths, int steps, uint32_t seed, struct market m, float *sums, unsigned *done, float *result) {
    __shared__ uint4 cells[sizeof normal_table / sizeof *normal_table];
    __shared__ float parts[SUMS][THREADS / 32];
    __shared__ bool is_last;
    for (int k = threadIdx.x; k < (int)(sizeof normal_table / sizeof *normal_table); k += THREADS)
        cells[k] = make_uint4(normal_table[k][0], normal_table[k][1], normal_table[k][2], normal_table[k][3]);
    __syncthreads();
    const float log2e = 1.44269504088896340736f;
    float drift = m.drift * log2e, shock = m.shock * log2e, total[SUMS] = {0, 0, 0, 0, 0};
    for (int path = blockIdx.x * THREADS + threadIdx.x; path < paths; path += gridDim.x * THREADS) {
        float log_price = 0.0f, sum = 0.0f, log_sum = 0.0f;
        for (int t = 0; t < steps; t += 4) {
            struct philox r = philox4x32((uint32_t)t / 4u, (uint32_t)path, 0, 0, seed, 0);
            float z[4] = {normal_of(cells, r.x), normal_of(cells, r.y), normal_of(cells, r.z), normal_of(cells, r.w)};
#pragma unroll
            for (int k = 0; k < 4; k++)
                if (t + k < steps) {
                    log_price += drift + shock * z[k];
                    sum += exp2f(log_price);
                    log_sum += log_price;
                }
        }
        float plain = fmaxf(m.spot * sum / (float)steps - m.strike, 0.0f);
        float control = fmaxf(m.spot * exp2f(log_sum / (float)steps) - m.strike, 0.0f), gap = plain - control;
        total[0] += plain, total[1] += plain * plain, total[2] += control, total[3] += gap, total[4] += gap * gap;
    }
#pragma unroll
    for (int s = 0; s < SUMS; s++) {
        float sum = lanes_sum<32>(total[s]);
        if (threadIdx.x % 32 == 0) parts[s][threadIdx.x / 32] = sum;
    }
    __syncthreads();
    if (threadIdx.x < SUMS) {
        float sum = 0.0f;
        for (int w = 0; w < THREADS / 32; w++)
            sum += parts[threadIdx.x][w];
        sums[blockIdx.x * SUMS + threadIdx.x] = sum;
        __threadfence();
    }
    __syncthreads();
    if (threadIdx.x == 0) is_last = atomicAdd(done, 1u) == gridDim.x - 1;
    __syncthreads();
    if (!is_last) return;
    for (int s = threadIdx.x / 32; s < SUMS; s += THREADS / 32) { // a warp a sum
        float sum = 0.0f;
        for (int b = threadIdx.x % 32; b < (int)gridDim.x; b += 32)
            sum += __ldcg(sums + b * SUMS + s);
        sum = lanes_sum<32>(sum);
        if (threadIdx.x % 32 == 0) parts[s][0] = sum;
    }
    __syncthreads();
    if (threadIdx.x) return;
    *done = 0;
    float n = (float)paths, plain = parts[0][0] / n, control = parts[2][0] / n, gap = parts[3][0] / n;
    result[0] = m.closed + m.discount * gap;
    result[1] = m.discount * sqrtf((parts[4][0] / n - gap * gap) / n);
    result[2] = m.discount * plain;
    result[3] = m.discount * sqrtf((parts[1][0] / n - plain * plain) / n);
    result[4] = m.closed;
    result[5] = m.discount * control;
}

// sums: 5 words a block; done: a word that is 0 between calls.
extern "C" int options(int blocks, int paths, int steps, uint32_t seed, const float *six, float *sums, unsigned *done, float *result) {
    struct market m = {six[0], six[1], six[2], six[3], six[4], six[5]};
    return launch(false, follow, blocks, THREADS, paths, steps, seed, m, sums, done, result);
}
