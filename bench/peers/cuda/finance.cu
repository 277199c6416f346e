// programs/sims/finance.c: LANES lanes share a policy, each with its part of the hidden units and of the assets; weights stay in registers. What a
// day's signals say to every policy alike is made once, by a kernel of its own. -DSHORT: tanh and the sigmoid by exp of the device.
#include "common.cuh"

enum { INPUTS = 8, HIDDEN = 16, OUTPUTS = 6, ASSETS = 16, SIGNALS = 36, WEIGHTS = 246, DAY = 36 };

// A day for all: 3 signals, a blank, 16 normalised attractions, 16 returns.
static __global__ void make_days(int steps, const float *signals, float *days) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= steps) return;
    const float *s = signals + (size_t)t * SIGNALS;
    float *day = days + (size_t)t * DAY, sum = 0.0f;
    for (int k = 0; k < 3; k++)
        day[k] = s[k];
    for (int k = 0; k < ASSETS; k++)
        sum += fmaxf(s[4 + k], 0.0f);
    float scale = 1.0f / fmaxf(sum, 1e-8f);
    for (int k = 0; k < ASSETS; k++)
        day[4 + k] = fmaxf(s[4 + k], 0.0f) * scale, day[20 + k] = s[20 + k];
}

static __device__ __forceinline__ float clipped(float x, float low, float high) { return fminf(fmaxf(x, low), high); }

static __device__ __forceinline__ float sigmoid(float x) {
#ifdef SHORT
    return __fdividef(1.0f, 1.0f + __expf(-x));
#else
    return 1.0f / (1.0f + expf(-x));
#endif
}

template <int LANES>
static __global__ void lives(int pop, int steps, const float *all, const float *days, float *fitness, float *wealth, float *drawdown) {
    constexpr int UNITS = HIDDEN / LANES, OWN = ASSETS / LANES;
    int thread = blockIdx.x * blockDim.x + threadIdx.x, lane = thread % LANES, policy = thread / LANES;
    const float *w = all + (size_t)min(policy, pop - 1) * WEIGHTS;
    float w1[INPUTS][UNITS], b1[UNITS], w2[UNITS][OUTPUTS], b2[OUTPUTS], held[OWN];
#pragma unroll
    for (int u = 0; u < UNITS; u++) {
        int j = lane * UNITS + u;
        b1[u] = w[128 + j];
#pragma unroll
        for (int k = 0; k < INPUTS; k++)
            w1[k][u] = w[16 * k + j];
#pragma unroll
        for (int m = 0; m < OUTPUTS; m++)
            w2[u][m] = w[144 + 6 * j + m];
    }
#pragma unroll
    for (int m = 0; m < OUTPUTS; m++)
        b2[m] = lane == 0 ? w[240 + m] : 0.0f;
#pragma unroll
    for (int a = 0; a < OWN; a++)
        held[a] = 0.0f;
    float value = 1, peak = 1, memory0 = 0, memory1 = 0, rich = 1, top = 1, worst = 0;
    for (int t = 0; t < steps; t++) {
        const float *day = days + (size_t)t * DAY;
        float part = value / peak, x[INPUTS] = {__ldg(day), fminf(5.0f * clipped((peak - value) / peak, 0.0f, 1.0f), 1.0f), 0.0f,
                                                clipped(10.0f * (part - 1.0f), 0.0f, 1.0f), __ldg(day + 1), __ldg(day + 2), memory0, memory1};
        float out[OUTPUTS];
#pragma unroll
        for (int m = 0; m < OUTPUTS; m++)
            out[m] = b2[m];
#pragma unroll
        for (int u = 0; u < UNITS; u++) {
            float h = b1[u];
#pragma unroll
            for (int k = 0; k < INPUTS; k++)
                if (k != 2) h += w1[k][u] * x[k]; // that input is 0
            h = hyperbolic(clipped(h, -10.0f, 10.0f));
#pragma unroll
            for (int m = 0; m < OUTPUTS; m++)
                if (m != 2) out[m] += w2[u][m] * h; // that output is not used
        }
#pragma unroll
        for (int m = 0; m < OUTPUTS; m++)
            if (m != 2) out[m] = sigmoid(lanes_sum<LANES>(out[m]));
        float leverage = 1.0f + 2.0f * out[1], cap = (1.0f - 0.8f * out[0]) * (0.2f + 0.8f * out[3]), share[OWN], sum = 0.0f;
        memory0 = out[4], memory1 = out[5];
#pragma unroll
        for (int a = 0; a < OWN; a++) {
            share[a] = fminf(__ldg(day + 4 + lane * OWN + a), cap);
            sum += share[a];
        }
        float scale = 1.0f / fmaxf(lanes_sum<LANES>(sum), 1e-8f), gain = 0.0f, cost = 0.0f;
#pragma unroll
        for (int a = 0; a < OWN; a++) {
            float wanted = share[a] * scale;
            if (fabsf(wanted - held[a]) < 0.05f) wanted = held[a];
            gain += wanted * __ldg(day + 20 + lane * OWN + a);
            cost += fabsf(wanted - held[a]) * (wanted < held[a] ? 0.0002f : 0.0004f);
            held[a] = wanted;
        }
        float change = leverage * lanes_sum<LANES>(gain) - leverage * lanes_sum<LANES>(cost) - 0.00001f;
        value = fmaxf(value * (1.0f + change), 1e-8f);
        if (value <= 0.05f) value = 0.0001f;
        peak = fmaxf(peak, value);
        rich *= 1.0f + change;
        top = fmaxf(top, rich);
        worst = fmaxf(worst, (top - rich) / top);
    }
    if (lane == 0 && policy < pop) {
        fitness[policy] = worst > 0.5f ? -9999.0f : rich;
        wealth[policy] = rich;
        drawdown[policy] = worst;
    }
}

// days: 36 floats a step.
extern "C" int finance(int lanes, int threads, int pop, int steps, const float *w, const float *signals, float *days, float *fitness, float *wealth, float *drawdown) {
    auto kernel = lanes == 1 ? lives<1> : lanes == 2 ? lives<2> : lanes == 4 ? lives<4> : lives<8>;
    int failed = launch(false, make_days, (steps + 127) / 128, 128, steps, signals, days);
    return failed ? failed : launch(false, kernel, (pop * lanes + threads - 1) / threads, threads, pop, steps, w, (const float *)days, fitness, wealth, drawdown);
}
