// programs/sims/ssm.c. In order: LANES lanes a channel with 16 / LANES states each; the inputs of the next BATCH steps are on their way while
// these are computed. In chunks (other roundings): all chunks from a state of zero side by side, then the states between chunks, then all outputs.
#include "common.cuh"

enum { STATES = 16, BATCH = 16 };

template <int LANES>
static __global__ void in_order(int steps, int channels, const float *x, const float *as, const float *bs, const float *cs, float *y) {
    constexpr int OWN = STATES / LANES;
    int thread = blockIdx.x * blockDim.x + threadIdx.x, lane = thread % LANES, channel = thread / LANES;
    float a[OWN], b[OWN], c[OWN], h[OWN], now[BATCH];
#pragma unroll
    for (int s = 0; s < OWN; s++) {
        int at = channel * STATES + lane * OWN + s;
        a[s] = as[at], b[s] = bs[at], c[s] = cs[at], h[s] = 0.0f;
    }
#pragma unroll
    for (int k = 0; k < BATCH; k++)
        now[k] = x[(size_t)k * channels + channel];
    for (int t = 0; t < steps; t += BATCH) {
        float next[BATCH];
        int ahead = t + BATCH < steps ? t + BATCH : t;
#pragma unroll
        for (int k = 0; k < BATCH; k++)
            next[k] = x[(size_t)(ahead + k) * channels + channel];
#pragma unroll
        for (int k = 0; k < BATCH; k++) {
            float sum = 0.0f;
#pragma unroll
            for (int s = 0; s < OWN; s++) {
                h[s] = a[s] * h[s] + b[s] * now[k];
                sum += c[s] * h[s];
            }
            sum = lanes_sum<LANES>(sum);
            if (lane == k % LANES) y[(size_t)(t + k) * channels + channel] = sum;
        }
#pragma unroll
        for (int k = 0; k < BATCH; k++)
            now[k] = next[k];
    }
}

// A block a chunk, a thread a channel. ends[chunk][state][channel]: what a chunk leaves; then, in the same place, what it begins with.
static __global__ void __launch_bounds__(256) chunk_ends(int steps, int length, int channels, const float *x, const float *as, float *ends) {
    int channel = threadIdx.x, first = blockIdx.x * length, past = min(first + length, steps);
    float a[STATES], h[STATES];
#pragma unroll
    for (int s = 0; s < STATES; s++)
        a[s] = as[channel * STATES + s], h[s] = 0.0f;
#pragma unroll 8
    for (int t = first; t < past; t++) {
        float now = x[(size_t)t * channels + channel];
#pragma unroll
        for (int s = 0; s < STATES; s++)
            h[s] = a[s] * h[s] + now;
    }
#pragma unroll
    for (int s = 0; s < STATES; s++)
        ends[((size_t)blockIdx.x * STATES + s) * channels + channel] = h[s];
}

static __global__ void chunk_begins(int chunks, int length, int channels, const float *as, float *ends) {
    int k = blockIdx.x * blockDim.x + threadIdx.x; // a state of a channel
    if (k >= STATES * channels) return;
    float factor = as[(k % channels) * STATES + k / channels], decay = 1.0f, carried = 0.0f;
    for (int bits = length; bits; bits >>= 1, factor *= factor)
        if (bits & 1) decay *= factor;
#pragma unroll 8
    for (int m = 0; m < chunks; m++) {
        float *place = ends + (size_t)m * STATES * channels + k, own = *place;
        *place = carried;
        carried = decay * carried + own;
    }
}

static __global__ void __launch_bounds__(256)
    chunk_outputs(int steps, int length, int channels, const float *x, const float *as, const float *bs, const float *cs, const float *begins, float *y) {
    int channel = threadIdx.x, first = blockIdx.x * length, past = min(first + length, steps);
    float a[STATES], h[STATES], weight[STATES];
#pragma unroll
    for (int s = 0; s < STATES; s++) {
        a[s] = as[channel * STATES + s];
        weight[s] = bs[channel * STATES + s] * cs[channel * STATES + s];
        h[s] = begins[((size_t)blockIdx.x * STATES + s) * channels + channel];
    }
#pragma unroll 8
    for (int t = first; t < past; t++) {
        float now = x[(size_t)t * channels + channel], even = 0.0f, odd = 0.0f;
#pragma unroll
        for (int s = 0; s < STATES; s += 2) {
            h[s] = a[s] * h[s] + now;
            h[s + 1] = a[s + 1] * h[s + 1] + now;
            even += weight[s] * h[s];
            odd += weight[s + 1] * h[s + 1];
        }
        y[(size_t)t * channels + channel] = even + odd;
    }
}

// steps: a multiple of BATCH; threads divides channels * lanes.
extern "C" int ssm(int lanes, int threads, int steps, int channels, const float *x, const float *a, const float *b, const float *c, float *y) {
    if (steps % BATCH || channels * lanes % threads) return 1;
    auto kernel = lanes == 1 ? in_order<1> : lanes == 4 ? in_order<4> : lanes == 8 ? in_order<8> : in_order<16>;
    return launch(false, kernel, channels * lanes / threads, threads, steps, channels, x, a, b, c, y);
}
extern "C" int ssm_chunks(int length, int steps, int channels, const float *x, const float *a, const float *b, const float *c, float *ends, float *y) {
    int chunks = (steps + length - 1) / length;
    if (channels > 256) return 1;
    int failed = launch(false, chunk_ends, chunks, channels, steps, length, channels, x, a, ends);
    if (!failed) failed = launch(false, chunk_begins, (STATES * channels + 63) / 64, 64, chunks, length, channels, a, ends);
    return failed ? failed : launch(false, chunk_outputs, chunks, channels, steps, length, channels, x, a, b, c, (const float *)ends, y);
}
