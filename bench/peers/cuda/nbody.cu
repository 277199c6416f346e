// programs/grids/nbody.c: all steps in one launch, whose blocks meet once a step; positions change between two arrays. LANES lanes a body; each
// block reads all bodies of a step into shared memory, as many at a time as it holds.
#include "common.cuh"

enum { HELD = 1024 }; // bodies in shared memory

template <int LANES>
static __global__ void __launch_bounds__(512) bodies(int n, int steps, float4 *now, float4 *next, float *velocity, unsigned *counter, unsigned before) {
    __shared__ float4 held[HELD];
    int body = (blockIdx.x * blockDim.x + threadIdx.x) / LANES, lane = threadIdx.x % LANES;
    bool is_mine = body < n;
    float4 me = is_mine ? now[body] : make_float4(0, 0, 0, 0);
    float vx = 0, vy = 0, vz = 0;
    if (is_mine) vx = velocity[3 * body], vy = velocity[3 * body + 1], vz = velocity[3 * body + 2];
    for (int t = 0; t < steps; t++) {
        float ax = 0, ay = 0, az = 0;
        for (int first = 0; first < n; first += HELD) {
            int count = min(HELD, n - first);
            __syncthreads();
            for (int k = threadIdx.x; k < count; k += blockDim.x)
                held[k] = __ldcg(now + first + k);
            __syncthreads();
#pragma unroll 4
            for (int k = lane; k < count; k += LANES) {
                float4 other = held[k];
                float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z, r2 = dx * dx + dy * dy + dz * dz + 0.01f;
#ifdef EXACT
                float pull = 1.0f / (r2 * sqrtf(r2));
#else
                float root = rsqrtf(r2), pull = root * root * root;
#endif
                ax += dx * pull, ay += dy * pull, az += dz * pull;
            }
        }
        vx += 0.01f * lanes_sum<LANES>(ax), vy += 0.01f * lanes_sum<LANES>(ay), vz += 0.01f * lanes_sum<LANES>(az);
        me = make_float4(me.x + 0.01f * vx, me.y + 0.01f * vy, me.z + 0.01f * vz, 0);
        if (lane == 0 && is_mine) __stcg(next + body, me);
        blocks_meet(counter, before + (unsigned)(t + 1) * gridDim.x);
        float4 *old = now;
        now = next;
        next = old;
    }
    if (lane == 0 && is_mine) velocity[3 * body] = vx, velocity[3 * body + 1] = vy, velocity[3 * body + 2] = vz;
}

static __global__ void spread(int n, const float *position, float4 *to) {
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < n) to[k] = make_float4(position[3 * k], position[3 * k + 1], position[3 * k + 2], 0);
}
static __global__ void gathered(int n, const float4 *from, float *position) {
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < n) position[3 * k] = from[k].x, position[3 * k + 1] = from[k].y, position[3 * k + 2] = from[k].z;
}

// two: room for twice n bodies of four floats. before: what the counter holds.
extern "C" int nbody(int lanes, int threads, int n, int steps, float *position, float *velocity, float4 *two, unsigned *counter, unsigned before) {
    int blocks = (n * lanes + threads - 1) / threads;
    auto kernel = lanes == 1 ? bodies<1> : lanes == 4 ? bodies<4> : lanes == 8 ? bodies<8> : lanes == 16 ? bodies<16> : bodies<32>;
    int failed = launch(false, spread, (n + 127) / 128, 128, n, position, two);
    if (!failed) failed = launch(true, kernel, blocks, threads, n, steps, two, two + n, velocity, counter, before);
    return failed ? failed : launch(false, gathered, (n + 127) / 128, 128, n, steps % 2 ? two + n : two, position);
}
extern "C" int nbody_meetings(int lanes, int threads, int n, int steps) { return (n * lanes + threads - 1) / threads * steps; }
