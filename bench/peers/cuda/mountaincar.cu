// programs/sims/mountaincar.c: a thread a policy, its weights in registers; a warp is done when its last car is.
#include "common.cuh"

enum { HIDDEN = 8, WEIGHTS = 51, B1 = 16, W2 = 24, B2 = 48 };

static __device__ __forceinline__ float cosine(float x) {
#if defined SHORT && !defined FAST
    return cospif(x * (1.0f / 3.14159265358979f));
#else
    return cosf(x);
#endif
}

static __global__ void drives(int pop, int steps, float start, const float *all, float *fitness, float *highest) {
    int policy = blockIdx.x * blockDim.x + threadIdx.x;
    if (policy >= pop) return;
    float w[WEIGHTS];
#pragma unroll
    for (int k = 0; k < WEIGHTS; k++)
        w[k] = all[(size_t)policy * WEIGHTS + k];
    float x = start, dx = 0.0f, top = start;
    int used = 0;
    while (used < steps && x < 0.5f) {
        float left = w[B2], none = w[B2 + 1], right = w[B2 + 2];
#pragma unroll
        for (int j = 0; j < HIDDEN; j++) {
            float h = hyperbolic(w[B1 + j] + w[2 * j] * x + w[2 * j + 1] * (dx * 14.0f));
            left += w[W2 + j] * h;
            none += w[W2 + HIDDEN + j] * h;
            right += w[W2 + 2 * HIDDEN + j] * h;
        }
        float push = left >= none && left >= right ? -1.0f : none >= right ? 0.0f : 1.0f;
        dx = fminf(fmaxf(dx + 0.001f * push - 0.0025f * cosine(3.0f * x), -0.07f), 0.07f);
        x = fminf(fmaxf(x + dx, -1.2f), 0.6f);
        if (x <= -1.2f && dx < 0.0f) dx = 0.0f;
        top = fmaxf(top, x);
        used++;
    }
    fitness[policy] = -(float)used;
    highest[policy] = top;
}

extern "C" int mountaincar(int threads, int pop, int steps, float start, const float *w, float *fitness, float *highest) {
    return launch(false, drives, (pop + threads - 1) / threads, threads, pop, steps, start, w, fitness, highest);
}
