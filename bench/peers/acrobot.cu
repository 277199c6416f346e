// Acrobot (programs/sims/acrobot.c) as one would write it in CUDA: a thread an individual, all loops over the network unrolled so that its
// 163 weights stay in registers. cuda_peers.py builds it twice, plainly and with --use_fast_math, and calls the functions at the end.
#include <cuda_runtime.h>

enum { INPUTS = 6, HIDDEN = 16, ACTIONS = 3, WEIGHTS = 163, THREADS = 32 };
static constexpr float PI = 3.14159265358979f;

struct pendulum {
    float a, b, da, db;
};

static __device__ pendulum slope(pendulum s, float torque) {
    float sin_b, cos_b;
    sincosf(s.b, &sin_b, &cos_b);
    float d1 = 3.5f + cos_b, d2 = 1.25f + 0.5f * cos_b;
    float phi2 = 4.9f * sinf(s.a + s.b);
    float phi1 = -0.5f * s.db * s.db * sin_b - s.db * s.da * sin_b + 14.7f * sinf(s.a) + phi2;
    float ddb = (torque + d2 / d1 * phi1 - 0.5f * s.da * s.da * sin_b - phi2) / (1.25f - d2 * d2 / d1);
    return {s.da, s.db, -(d2 * ddb + phi1) / d1, ddb};
}

static __device__ pendulum moved(pendulum s, float h, pendulum k) {
    return {s.a + h * k.a, s.b + h * k.b, s.da + h * k.da, s.db + h * k.db};
}

static __device__ float wrapped(float x) { return x > PI ? x - 2 * PI : x < -PI ? x + 2 * PI : x; }

static __device__ pendulum advanced(pendulum s, float torque) {
    pendulum k1 = slope(s, torque), k2 = slope(moved(s, 0.1f, k1), torque);
    pendulum k3 = slope(moved(s, 0.1f, k2), torque), k4 = slope(moved(s, 0.2f, k3), torque);
    pendulum mean = {(k1.a + 2 * k2.a + 2 * k3.a + k4.a) / 6, (k1.b + 2 * k2.b + 2 * k3.b + k4.b) / 6,
                     (k1.da + 2 * k2.da + 2 * k3.da + k4.da) / 6, (k1.db + 2 * k2.db + 2 * k3.db + k4.db) / 6};
    s = moved(s, 0.2f, mean);
    return {wrapped(s.a), wrapped(s.b), fminf(fmaxf(s.da, -4 * PI), 4 * PI), fminf(fmaxf(s.db, -9 * PI), 9 * PI)};
}

static __global__ void __launch_bounds__(THREADS) evaluate(int pop, int steps, const float *all, float *fitness, float *height) {
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= pop) return;
    float w[WEIGHTS];
#pragma unroll
    for (int k = 0; k < WEIGHTS; k++)
        w[k] = all[(size_t)i * WEIGHTS + k];
    const float *b1 = w + HIDDEN * INPUTS, *w2 = b1 + HIDDEN, *b2 = w2 + ACTIONS * HIDDEN;
    pendulum s = {0.05f, -0.03f, 0.02f, 0.01f};
    float sum = 0, highest = -2;
    for (int t = 0; t < steps; t++) {
        float seen[INPUTS], score[ACTIONS] = {b2[0], b2[1], b2[2]};
        sincosf(s.a, &seen[1], &seen[0]);
        sincosf(s.b, &seen[3], &seen[2]);
        seen[4] = s.da;
        seen[5] = s.db;
#pragma unroll
        for (int j = 0; j < HIDDEN; j++) {
            float h = b1[j];
#pragma unroll
            for (int k = 0; k < INPUTS; k++)
                h += w[j * INPUTS + k] * seen[k];
            h = tanhf(h);
#pragma unroll
            for (int m = 0; m < ACTIONS; m++)
                score[m] += w2[m * HIDDEN + j] * h;
        }
        float torque = score[1] > score[0] ? 0.0f : -1.0f;
        if (score[2] > fmaxf(score[0], score[1])) torque = 1.0f;
        s = advanced(s, torque);
        float now = -cosf(s.a) - cosf(s.a + s.b);
        highest = fmaxf(highest, now);
        sum += now > 1 ? 1.0f : -0.001f;
    }
    fitness[i] = sum;
    height[i] = highest;
}

static float *weights, *fitness, *height;
static int pop, steps;

// Each returns 0, or CUDA's error.
extern "C" int acrobot_prepare(const float *w, int individuals, int passes) {
    size_t n = (size_t)individuals;
    pop = individuals;
    steps = passes;
    cudaMalloc(&weights, n * WEIGHTS * sizeof(float));
    cudaMalloc(&fitness, n * sizeof(float));
    cudaMalloc(&height, n * sizeof(float));
    cudaMemcpy(weights, w, n * WEIGHTS * sizeof(float), cudaMemcpyHostToDevice);
    return cudaGetLastError();
}

extern "C" int acrobot_start(void) {
    evaluate<<<(pop + THREADS - 1) / THREADS, THREADS>>>(pop, steps, weights, fitness, height);
    return cudaGetLastError();
}

extern "C" int acrobot_wait(void) { return cudaDeviceSynchronize(); }

extern "C" int acrobot_read(float *out_fitness, float *out_height) {
    cudaMemcpy(out_fitness, fitness, (size_t)pop * sizeof(float), cudaMemcpyDeviceToHost);
    return cudaMemcpy(out_height, height, (size_t)pop * sizeof(float), cudaMemcpyDeviceToHost);
}
