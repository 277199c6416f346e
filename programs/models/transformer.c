// transformer.c - a decoder of the llama family, token by token: attention over all tokens so far, sampling, and the loop
// around it.
//
// A call goes on where the last one ended: it decodes up to `count` tokens from position state[0]. tokens[0 .. known) are
// given, later ones are chosen, until one of them is a stop token (-1: none) or tokens[limit - 1] is there; then
// state[1] is 1. What is kept from call to call is in the parameters that are not const. Weights are f16, all else is
// computed in f32. Macros: QK_NORM (qwen3), HEAD (a matrix of its own for the last product, not the embedding).
//
// judge 1: logits are computed for every token, and likely[t + 1] is the logarithm of the share that the softmax gives
// to tokens[t + 1]; it may be of a token that was chosen, or given.
//
// run: -i layers=4 -i d=256 -i heads=4 -i kv=2 -i hd=64 -i ffn=704 -i vocab=4096 -i context=128
// run: -i count=100 -i known=8 -i limit=128 -i judge=0 -i state=0,0 -i stops=const:-1 -i eps=1e-5 -i tokens=arange -i rope=uniform:lo=0,hi=1,seed=9
// run: -i embed=normal:sd=0.05,seed=1 -i wqkv=normal:sd=0.05,seed=2 -i bqkv=zeros
// run: -i wo=normal:sd=0.05,seed=5 -i gate=normal:sd=0.05,seed=6
// run: -i up=normal:sd=0.05,seed=7 -i down=normal:sd=0.05,seed=8 -i norm1=const:1 -i norm2=const:1 -i norm3=const:1
// run: -i how=1,1,0,1 -i rule=0,1
// test: -i layers=2 -i d=64 -i heads=4 -i kv=2 -i hd=32 -i ffn=96 -i vocab=200 -i context=20
// test: -i count=18 -i known=5 -i limit=20 -i judge=1 -i state=0,0 -i stops=const:-1 -i eps=1e-5 -i tokens=arange -i rope=uniform:lo=0,hi=1,seed=9
// test: -i embed=normal:sd=0.3,seed=1 -i wqkv=normal:sd=0.1,seed=2 -i bqkv=zeros
// test: -i wo=normal:sd=0.1,seed=5 -i gate=normal:sd=0.1,seed=6
// test: -i up=normal:sd=0.1,seed=7 -i down=normal:sd=0.1,seed=8 -i norm1=const:1 -i norm2=const:1 -i norm3=const:1
// test: -i how=0,1,0,1 -i rule=0,1
// check: abs 2e-2
// check: tokens exact
// check: seen exact
// check: state exact
// dispatches: 1
// barriers: 7 a step
#include <math.h>

// A number of [0, 1) for each seed, token and word of the vocabulary.
static float chance(unsigned seed, unsigned t, unsigned i) {
    unsigned h = seed * 0x9e3779b9u + t * 0x85ebca6bu + i * 0xc2b2ae35u;
    h ^= h >> 16;
    h *= 0x7feb352du;
    h ^= h >> 15;
    h *= 0x846ca68bu;
    h ^= h >> 16;
    return ((float)(h >> 9) + 0.5f) / 8388608.0f;
}

// how: temperature (0: the most likely token), share of the mass that is kept (top-p), least likelihood relative to the
// best (min-p), penalty of tokens that were seen. rule: how many words are kept (top-k, 0: all), seed.
void decode(int layers, int d, int heads, int kv, int hd, int ffn, int vocab, int context, int count, int known,
            int limit, int judge, float eps, const float how[4], const int rule[2], const int stops[16],
            const float rope[hd / 2], const _Float16 embed[vocab][d], const float norm1[layers][d],
            const _Float16 wqkv[layers][(heads + 2 * kv) * hd][d], const float bqkv[layers][(heads + 2 * kv) * hd],
#ifdef QK_NORM
            const float qnorm[layers][hd], const float knorm[layers][hd],
#endif
            const _Float16 wo[layers][d][heads * hd], const float norm2[layers][d], const _Float16 gate[layers][ffn][d],
            const _Float16 up[layers][ffn][d], const _Float16 down[layers][d][ffn], const float norm3[d],
#ifdef HEAD
            const _Float16 head[vocab][d],
#endif
            int state[2], int tokens[context], int seen[vocab], float likely[context],
            float keys[layers][kv][context][hd], float values[layers][kv][context][hd], float logits[vocab]) {
#ifndef HEAD
#define head embed
#endif
    float x[d], y[d], q[heads * hd], score[heads][context], mean[heads * hd], g[ffn];
#ifdef QK_NORM
    float factor[heads + kv];
#endif
    int pos = state[0], ended = state[1];
    for (int step = 0; step < count && !ended; step++) {
        int t = (int)((unsigned)(pos + step) % (unsigned)context);
        int token = tokens[t];
        seen[token] = 1;
#pragma omp parallel for
        for (int i = 0; i < d; i++)
            x[i] = embed[token][i];

        for (int l = 0; l < layers; l++) {
            float square = 0.0f;
#pragma omp parallel for reduction(+ : square)
            for (int i = 0; i < d; i++)
                square += x[i] * x[i];
            float scale = 1.0f / sqrtf(square / (float)d + eps);

            // The pairs (j, j + hd / 2) of each head of queries, keys and values; those of the first two turn by an angle.
#pragma omp parallel for
            for (int p = 0; p < (heads + 2 * kv) * (hd / 2); p++) {
                int h = p / (hd / 2), j = p % (hd / 2), i = h * hd + j;
                float a = 0.0f, b = 0.0f;
#pragma omp simd reduction(+ : a, b)
                for (int m = 0; m < d; m++) {
                    a += (float)wqkv[l][i][m] * (x[m] * norm1[l][m]);
                    b += (float)wqkv[l][i + hd / 2][m] * (x[m] * norm1[l][m]);
                }
                a = a * scale + bqkv[l][i];
                b = b * scale + bqkv[l][i + hd / 2];
#ifndef QK_NORM
                if (h < heads + kv) {
                    float c = cosf((float)t * rope[j]), s = sinf((float)t * rope[j]), turned = a * c - b * s;
                    b = b * c + a * s;
                    a = turned;
                }
#endif
                if (h < heads) {
                    q[i] = a;
                    q[i + hd / 2] = b;
                } else if (h < heads + kv) {
                    keys[l][h - heads][t][j] = a;
                    keys[l][h - heads][t][j + hd / 2] = b;
                } else {
                    values[l][h - heads - kv][t][j] = a;
                    values[l][h - heads - kv][t][j + hd / 2] = b;
                }
            }
#ifdef QK_NORM
#pragma omp parallel for
            for (int h = 0; h < heads + kv; h++) {
                float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
                for (int j = 0; j < hd; j++) {
                    float e = h < heads ? q[h * hd + j] : keys[l][h - heads][t][j];
                    sum += e * e;
                }
                factor[h] = 1.0f / sqrtf(sum / (float)hd + eps);
            }
#pragma omp parallel for collapse(2)
            for (int h = 0; h < heads + kv; h++)
                for (int j = 0; j < hd / 2; j++) {
                    float c = cosf((float)t * rope[j]), s = sinf((float)t * rope[j]);
                    float a = h < heads ? q[h * hd + j] : keys[l][h - heads][t][j];
                    float b = h < heads ? q[h * hd + j + hd / 2] : keys[l][h - heads][t][j + hd / 2];
                    a *= factor[h] * (h < heads ? qnorm[l][j] : knorm[l][j]);
                    b *= factor[h] * (h < heads ? qnorm[l][j + hd / 2] : knorm[l][j + hd / 2]);
                    if (h < heads) {
                        q[h * hd + j] = a * c - b * s;
                        q[h * hd + j + hd / 2] = b * c + a * s;
                    } else {
                        keys[l][h - heads][t][j] = a * c - b * s;
                        keys[l][h - heads][t][j + hd / 2] = b * c + a * s;
                    }
                }
#endif

                // Attention: a score for each token so far, then the mean of the values by their softmax.
#pragma omp parallel for collapse(2)
            for (int h = 0; h < heads; h++)
                for (int p = 0; p <= t; p++) {
                    float s = 0.0f;
#pragma omp simd reduction(+ : s)
                    for (int i = 0; i < hd; i++)
                        s += q[h * hd + i] * keys[l][h / (heads / kv)][p][i];
                    score[h][p] = s / sqrtf((float)hd);
                }
#pragma omp parallel for collapse(2)
            for (int h = 0; h < heads; h++)
                for (int i = 0; i < hd; i++) {
                    float most = -1e30f, sum = 0.0f, mix = 0.0f;
#pragma omp simd reduction(max : most)
                    for (int p = 0; p <= t; p++)
                        most = fmaxf(most, score[h][p]);
#pragma omp simd reduction(+ : sum, mix)
                    for (int p = 0; p <= t; p++) {
                        float e = expf(score[h][p] - most);
                        sum += e;
                        mix += e * values[l][h / (heads / kv)][p][i];
                    }
                    mean[h * hd + i] = mix / sum;
                }

#pragma omp parallel for
            for (int i = 0; i < d; i++) {
                float s = 0.0f;
#pragma omp simd reduction(+ : s)
                for (int j = 0; j < heads * hd; j++)
                    s += (float)wo[l][i][j] * mean[j];
                y[i] = x[i] + s;
            }

            square = 0.0f;
#pragma omp parallel for reduction(+ : square)
            for (int i = 0; i < d; i++)
                square += y[i] * y[i];
            scale = 1.0f / sqrtf(square / (float)d + eps);
#pragma omp parallel for
            for (int i = 0; i < ffn; i++) {
                float a = 0.0f, b = 0.0f;
#pragma omp simd reduction(+ : a, b)
                for (int j = 0; j < d; j++) {
                    a += (float)gate[l][i][j] * (y[j] * norm2[l][j]);
                    b += (float)up[l][i][j] * (y[j] * norm2[l][j]);
                }
                a *= scale;
                g[i] = a / (1.0f + expf(-a)) * (b * scale);
            }
#pragma omp parallel for
            for (int i = 0; i < d; i++) {
                float s = 0.0f;
#pragma omp simd reduction(+ : s)
                for (int j = 0; j < ffn; j++)
                    s += (float)down[l][i][j] * g[j];
                x[i] = y[i] + s;
            }
        }

        // What comes next is given, or is chosen among all words.
        if ((t + 1 >= known || judge) && t + 1 < context) {
            int next = tokens[t + 1];
            float square = 0.0f, top = -1e30f;
#pragma omp parallel for reduction(+ : square)
            for (int i = 0; i < d; i++)
                square += x[i] * x[i];
            float scale = 1.0f / sqrtf(square / (float)d + eps), penalty = how[3], rest = 0.0f;
#pragma omp parallel for reduction(max : top)
            for (int i = 0; i < vocab; i++) {
                float s = 0.0f;
#pragma omp simd reduction(+ : s)
                for (int j = 0; j < d; j++)
                    s += (float)head[i][j] * (x[j] * norm3[j]);
                s *= scale;
                if (seen[i]) s = s > 0.0f ? s / penalty : s * penalty;
                logits[i] = s;
                top = fmaxf(top, s);
            }

            if (judge) {
                float whole = 0.0f;
#pragma omp parallel for reduction(+ : whole)
                for (int i = 0; i < vocab; i++)
                    whole += expf(logits[i] - top);
                rest = top + logf(whole);
            }

            if (t + 1 >= known) {
                // Words below `least` are out: by bisection, as many are kept as top-k allows, then as much of the mass as
                // top-p asks for.
                float heat = how[0], least = -1e30f;
                if (heat > 0.0f) {
                    float low = top - 100.0f, high = top;
                    for (int r = 0; r < 24 && rule[0] > 0; r++) {
                        float mid = 0.5f * (low + high);
                        int kept = 0;
#pragma omp parallel for reduction(+ : kept)
                        for (int i = 0; i < vocab; i++)
                            kept += logits[i] >= mid;
                        if (kept > rule[0])
                            low = mid;
                        else
                            high = mid;
                    }
                    if (rule[0] > 0) least = high;
                    low = top - 100.0f * heat;
                    high = top;
                    float mass = 0.0f;
#pragma omp parallel for reduction(+ : mass)
                    for (int i = 0; i < vocab; i++)
                        mass += logits[i] >= least ? expf((logits[i] - top) / heat) : 0.0f;
                    for (int r = 0; r < 24 && how[1] < 1.0f; r++) {
                        float mid = 0.5f * (low + high), above = 0.0f;
#pragma omp parallel for reduction(+ : above)
                        for (int i = 0; i < vocab; i++)
                            above += logits[i] >= least && logits[i] >= mid ? expf((logits[i] - top) / heat) : 0.0f;
                        if (above >= how[1] * mass)
                            low = mid;
                        else
                            high = mid;
                    }
                    if (how[1] < 1.0f) least = fmaxf(least, low);
                    if (how[2] > 0.0f) least = fmaxf(least, top + heat * logf(how[2]));
                }

                // With noise of this form on each, the largest is a sample of the softmax (Gumbel, 1954).
                float largest = -1e30f;
                int best = vocab;
                unsigned seed = (unsigned)rule[1];
#pragma omp parallel for reduction(max : largest)
                for (int i = 0; i < vocab; i++) {
                    float e = logits[i];
                    if (heat > 0.0f) e = e / heat - logf(-logf(chance(seed, (unsigned)t, (unsigned)i)));
                    largest = fmaxf(largest, logits[i] >= least ? e : -1e30f);
                }
#pragma omp parallel for reduction(min : best)
                for (int i = 0; i < vocab; i++) {
                    float e = logits[i];
                    if (heat > 0.0f) e = e / heat - logf(-logf(chance(seed, (unsigned)t, (unsigned)i)));
                    if (e >= largest && logits[i] >= least && i < best) best = i;
                }
                next = best < vocab ? best : 0;
                for (int i = 0; i < 16; i++)
                    ended |= next == stops[i];
                tokens[t + 1] = next;
            }
            if (judge) likely[t + 1] = logits[next] - rest;
        }
        ended |= t + 2 >= limit;
        state[0] = t + 1;
        state[1] = ended;
    }
}
