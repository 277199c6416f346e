// programs/sims/acrobot.c: LANES lanes share a policy, each with its part of the hidden units; weights stay in registers, and all lanes do the
// physics, since they would idle otherwise. -DSHORT: tanh by exp of the device, sines by half turns, the slopes with two reciprocals.
#include "common.cuh"

enum { INPUTS = 6, HIDDEN = 16, ACTIONS = 3, WEIGHTS = 163 };
static constexpr float PI = 3.14159265358979f;

static __device__ __forceinline__ void sine_cosine(float x, float *s, float *c) {
#if defined SHORT && !defined FAST
    sincospif(x * (1.0f / PI), s, c);
#else
    sincosf(x, s, c);
#endif
}

struct pendulum {
    float a, b, da, db;
};

// sin_a, sin_b, cos_b: of the state.
static __device__ __forceinline__ pendulum slope_at(pendulum s, float sin_a, float cos_a, float sin_b, float cos_b, float torque) {
    float d1 = 3.5f + cos_b, d2 = 1.25f + 0.5f * cos_b;
    float phi2 = 4.9f * (sin_a * cos_b + cos_a * sin_b), pull = 0.5f * s.da * s.da * sin_b;
#ifdef SHORT // both divisors depend on cos b alone: 1.25 d1 - d2^2 = 2.8125 - cos^2 b / 4
    float phi1 = 14.7f * sin_a + phi2 - s.db * sin_b * (0.5f * s.db + s.da);
    float ddb = (d1 * (torque - pull - phi2) + d2 * phi1) * (1.0f / (2.8125f - 0.25f * cos_b * cos_b));
    return {s.da, s.db, -(d2 * ddb + phi1) * (1.0f / d1), ddb};
#else
    float phi1 = -0.5f * s.db * s.db * sin_b - s.db * s.da * sin_b + 14.7f * sin_a + phi2;
    float ddb = (torque + d2 / d1 * phi1 - pull - phi2) / (1.25f - d2 * d2 / d1);
    return {s.da, s.db, -(d2 * ddb + phi1) / d1, ddb};
#endif
}

static __device__ __forceinline__ pendulum slope(pendulum s, float torque) {
    float sin_a, cos_a, sin_b, cos_b;
    sine_cosine(s.a, &sin_a, &cos_a);
    sine_cosine(s.b, &sin_b, &cos_b);
    return slope_at(s, sin_a, cos_a, sin_b, cos_b, torque);
}

static __device__ __forceinline__ pendulum moved(pendulum s, float h, pendulum k) {
    return {s.a + h * k.a, s.b + h * k.b, s.da + h * k.da, s.db + h * k.db};
}

static __device__ __forceinline__ float wrapped(float x) { return x > PI ? x - 2 * PI : x < -PI ? x + 2 * PI : x; }

static __device__ __forceinline__ pendulum advanced(pendulum s, pendulum k1, float torque) {
    pendulum k2 = slope(moved(s, 0.1f, k1), torque), k3 = slope(moved(s, 0.1f, k2), torque), k4 = slope(moved(s, 0.2f, k3), torque);
    pendulum mean = {(k1.a + 2 * k2.a + 2 * k3.a + k4.a) * (1.0f / 6), (k1.b + 2 * k2.b + 2 * k3.b + k4.b) * (1.0f / 6),
                     (k1.da + 2 * k2.da + 2 * k3.da + k4.da) * (1.0f / 6), (k1.db + 2 * k2.db + 2 * k3.db + k4.db) * (1.0f / 6)};
    s = moved(s, 0.2f, mean);
    return {wrapped(s.a), wrapped(s.b), fminf(fmaxf(s.da, -4 * PI), 4 * PI), fminf(fmaxf(s.db, -9 * PI), 9 * PI)};
}

template <int LANES>
static __global__ void swings(int pop, int steps, const float *all, float *fitness, float *height) {
    constexpr int UNITS = HIDDEN / LANES;
    int thread = blockIdx.x * blockDim.x + threadIdx.x, lane = thread % LANES, policy = thread / LANES;
    const float *w = all + (size_t)min(policy, pop - 1) * WEIGHTS;
    float w1[UNITS][INPUTS], b1[UNITS], w2[ACTIONS][UNITS], b2[ACTIONS];
#pragma unroll
    for (int u = 0; u < UNITS; u++) {
        int j = lane * UNITS + u;
        b1[u] = w[HIDDEN * INPUTS + j];
#pragma unroll
        for (int k = 0; k < INPUTS; k++)
            w1[u][k] = w[j * INPUTS + k];
#pragma unroll
        for (int m = 0; m < ACTIONS; m++)
            w2[m][u] = w[112 + m * HIDDEN + j];
    }
#pragma unroll
    for (int m = 0; m < ACTIONS; m++)
        b2[m] = lane == 0 ? w[160 + m] : 0.0f;
    pendulum s = {0.05f, -0.03f, 0.02f, 0.01f};
    float sum = 0, highest = -2, sin_a, cos_a, sin_b, cos_b;
    sine_cosine(s.a, &sin_a, &cos_a);
    sine_cosine(s.b, &sin_b, &cos_b);
    for (int t = 0; t < steps; t++) {
        float score[ACTIONS] = {b2[0], b2[1], b2[2]};
#pragma unroll
        for (int u = 0; u < UNITS; u++) {
            float h = b1[u] + w1[u][0] * cos_a + w1[u][1] * sin_a + w1[u][2] * cos_b + w1[u][3] * sin_b + w1[u][4] * s.da + w1[u][5] * s.db;
            h = hyperbolic(h);
#pragma unroll
            for (int m = 0; m < ACTIONS; m++)
                score[m] += w2[m][u] * h;
        }
#pragma unroll
        for (int m = 0; m < ACTIONS; m++)
            score[m] = lanes_sum<LANES>(score[m]);
        float torque = score[1] > score[0] ? 0.0f : -1.0f;
        if (score[2] > fmaxf(score[0], score[1])) torque = 1.0f;
        s = advanced(s, slope_at(s, sin_a, cos_a, sin_b, cos_b, torque), torque);
        sine_cosine(s.a, &sin_a, &cos_a); // for the height, and for what the next step sees
        sine_cosine(s.b, &sin_b, &cos_b);
        float now = sin_a * sin_b - cos_a * cos_b - cos_a;
        highest = fmaxf(highest, now);
        sum += now > 1 ? 1.0f : -0.001f;
    }
    if (lane == 0 && policy < pop) {
        fitness[policy] = sum;
        height[policy] = highest;
    }
}

extern "C" int acrobot(int lanes, int threads, int pop, int steps, const float *w, float *fitness, float *height) {
    auto kernel = lanes == 1 ? swings<1> : lanes == 2 ? swings<2> : lanes == 4 ? swings<4> : swings<8>;
    return launch(false, kernel, (int)(((long long)pop * lanes + threads - 1) / threads), threads, pop, steps, w, fitness, height);
}
