// transformer.c - a decoder of the llama family, token by token: attention over all tokens so far, sampling, and the loop
// around it.
//
// It continues up to `texts` texts side by side, of which the first `active` are looked at; each row of weights is used
// for all of them while it is near. A call goes on where the last one ended, with up to `count` tokens each. task: the
// position of a text that is computed first, how many tokens are given, and how many it may have. Later ones are chosen,
// until one is a stop token (-1: none) or the text is full. made: positions that were computed until then; what is
// behind them is of no meaning, but tokens are always words of the vocabulary. The caller sets it to 0. What else is
// kept from call to call is in the parameters that are not const. Macros: QK_NORM (qwen3), HEAD (a matrix of its own
// for the last product, not the embedding), FORM and FORM_name (how matrices stand in memory, see below; all else is
// computed in f32); and to look inside or to interfere: TRACE (what goes into the first layer and comes out of each),
// STEER (a vector is added to what comes out of a layer), KEEP (what each head of each layer says is multiplied by a
// number: 0 ablates it).
//
// judge 1: logits are computed for every token, and likely[b][t + 1] is the logarithm of the share that the softmax
// gives to tokens[b][t + 1], whether that was given or chosen.
//
// run: -i layers=4 -i d=256 -i heads=4 -i kv=2 -i hd=64 -i ffn=704 -i vocab=4096 -i context=128
// run: -i count=100 -i judge=0 -i texts=1 -i active=1 -i task=0,8,128 -i stops=const:-1 -i eps=1e-5 -i tokens=arange -i rope=uniform:lo=0,hi=1,seed=9
// run: -i embed=normal:sd=0.05,seed=1 -i wqkv=normal:sd=0.05,seed=2 -i bqkv=zeros
// run: -i wo=normal:sd=0.05,seed=5 -i gate=normal:sd=0.05,seed=6
// run: -i up=normal:sd=0.05,seed=7 -i down=normal:sd=0.05,seed=8 -i norm1=const:1 -i norm2=const:1 -i norm3=const:1
// run: -i how=1,1,0,1 -i rule=0,1
// test: -i layers=2 -i d=64 -i heads=4 -i kv=2 -i hd=32 -i ffn=96 -i vocab=200 -i context=20
// test: -i count=18 -i judge=1 -i texts=1 -i active=1 -i task=0,5,20 -i stops=const:-1 -i eps=1e-5 -i tokens=arange -i rope=uniform:lo=0,hi=1,seed=9
// test: -i embed=normal:sd=0.3,seed=1 -i wqkv=normal:sd=0.1,seed=2 -i bqkv=zeros
// test: -i wo=normal:sd=0.1,seed=5 -i gate=normal:sd=0.1,seed=6
// test: -i up=normal:sd=0.1,seed=7 -i down=normal:sd=0.1,seed=8 -i norm1=const:1 -i norm2=const:1 -i norm3=const:1
// test: -i how=0,1,0,1 -i rule=0,1
// check: abs 2e-2
// check: tokens exact
// check: seen exact
// check: made exact
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

// A text that ended early stays at its last position, which no other text needs.
static int place(int t, int context) { return t < 0 ? 0 : t < context ? t : context - 1; }

// A matrix `name`, and its element `j` of a row. How it stands in memory says FORM_name, or FORM for all: F16; Q8, whole
// numbers, 32 of which side by side share a scale; Q4, the same in 4 bits, eight in a word. Scales stand apart. The scale
// is a variable, so that neighbours see that it is the same.
#ifndef FORM
#define FORM F16
#endif
#ifndef HEAD
#define head embed
#define FORM_head FORM_embed
#endif
#ifndef FORM_embed
#define FORM_embed FORM
#endif
#ifndef FORM_wqkv
#define FORM_wqkv FORM
#endif
#ifndef FORM_wo
#define FORM_wo FORM
#endif
#ifndef FORM_gate
#define FORM_gate FORM
#endif
#ifndef FORM_up
#define FORM_up FORM
#endif
#ifndef FORM_down
#define FORM_down FORM
#endif
#ifndef FORM_head
#define FORM_head FORM
#endif
#define JOIN(a, b) a##b
#define WITH(what, form) JOIN(what, form)
#define MATRIX(name, rows, columns) WITH(MATRIX_, FORM_##name)(name, rows, columns)
#define SCALE(scale, name, row, j) WITH(SCALE_, FORM_##name)(scale, name, row, j)
#define AT(name, row, j, scale) WITH(AT_, FORM_##name)(name, row, j, scale)

#define MATRIX_F16(name, rows, columns) const _Float16 name rows[columns]
#define SCALE_F16(scale, name, row, j)
#define AT_F16(name, row, j, scale) (float)name row[j]

#define MATRIX_Q8(name, rows, columns) \
    const signed char name rows[columns], const _Float16 name##_scale rows[(columns) / 32]
#define SCALE_Q8(scale, name, row, j) float scale = (float)name##_scale row[(j) / 32];
#define AT_Q8(name, row, j, scale) ((float)name row[j] * scale)

#define MATRIX_Q4(name, rows, columns) \
    const unsigned name rows[(columns) / 8], const _Float16 name##_scale rows[(columns) / 32]
#define SCALE_Q4(scale, name, row, j) SCALE_Q8(scale, name, row, j)
#define AT_Q4(name, row, j, scale) ((float)((int)(name row[(j) / 8] << (28 - (j) % 8 * 4)) >> 28) * scale)

// By which the rows of each text are multiplied, so that their root mean squares become 1. A function's result would be
// a variable more, and the sum is computed by each workgroup only where it is used at once.
#define SCALE_ROWS(row)                                         \
    for (int b = 0; b < active; b++) {                          \
        float square = 0.0f;                                    \
        _Pragma("omp parallel for reduction(+ : square)")       \
        for (int i = 0; i < d; i++)                             \
            square += row[b][i] * row[b][i];                    \
        scale[b] = 1.0f / sqrtf(square / (float)d + eps);       \
    }

// how: temperature (0: the most likely token), share of the mass that is kept (top-p), least likelihood relative to
// the best (min-p), penalty of tokens that were seen. rule: how many words are kept (top-k, 0: all), seed.
void decode(int layers, int d, int heads, int kv, int hd, int ffn, int vocab, int texts, int active, int context,
            int count, int judge, float eps, const int task[texts][3], const float how[texts][4],
            const int rule[texts][2], const int stops[16], const float rope[hd / 2], MATRIX(embed, [vocab], d),
            const float norm1[layers][d], MATRIX(wqkv, [layers][(heads + 2 * kv) * hd], d),
            const float bqkv[layers][(heads + 2 * kv) * hd],
#ifdef QK_NORM
            const float qnorm[layers][hd], const float knorm[layers][hd],
#endif
            MATRIX(wo, [layers][d], heads * hd), const float norm2[layers][d], MATRIX(gate, [layers][ffn], d),
            MATRIX(up, [layers][ffn], d), MATRIX(down, [layers][d], ffn), const float norm3[d],
#ifdef HEAD
            MATRIX(head, [vocab], d),
#endif
            int made[texts], int tokens[texts][context], int seen[texts][vocab], float likely[texts][context],
            float keys[texts][layers][kv][context][hd], float values[texts][layers][kv][context][hd],
            float logits[texts][vocab]
#ifdef TRACE
            ,
            float trace[layers + 1][texts][context][d]
#endif
#ifdef STEER
            ,
            const float steer[layers][d]
#endif
#ifdef KEEP
            ,
            const float keep[layers][heads]
#endif
) {
    float x[texts][d], y[texts][d], q[texts][heads * hd], score[texts][heads][context], mean[texts][heads * hd],
        g[texts][ffn], scale[texts];
#ifdef QK_NORM
    float factor[texts][heads + kv];
#endif
    int ended = 0;
    for (int b = 0; b < active; b++)
        ended |= (task[b][0] + 1 >= task[b][2]) << b;
    for (int step = 0; step < count && ended != (1 << active) - 1; step++) {
        int longest = 0;
        for (int b = 0; b < active; b++) {
            int t = place(task[b][0] + step, context);
            seen[b][tokens[b][t]] = 1;
            longest = t > longest ? t : longest;
        }
#pragma omp parallel for collapse(2)
        for (int b = 0; b < active; b++)
            for (int i = 0; i < d; i++) {
                int t = place(task[b][0] + step, context);
                SCALE(s, embed, [tokens[b][t]], i)
                x[b][i] = AT(embed, [tokens[b][t]], i, s);
#ifdef TRACE
                trace[0][b][t][i] = x[b][i];
#endif
            }

        for (int l = 0; l < layers; l++) {
            SCALE_ROWS(x)

            // The pairs (j, j + hd / 2) of each head of queries, keys and values; those of the first two turn by an angle.
#pragma omp parallel for
            for (int p = 0; p < (heads + 2 * kv) * (hd / 2); p++) {
                int h = p / (hd / 2), j = p % (hd / 2), i = h * hd + j;
                for (int b = 0; b < active; b++) {
                    int t = place(task[b][0] + step, context);
                    float u = 0.0f, v = 0.0f;
#pragma omp simd reduction(+ : u, v)
                    for (int m = 0; m < d; m++) {
                        SCALE(su, wqkv, [l][i], m)
                        SCALE(sv, wqkv, [l][i + hd / 2], m)
                        u += AT(wqkv, [l][i], m, su) * (x[b][m] * norm1[l][m]);
                        v += AT(wqkv, [l][i + hd / 2], m, sv) * (x[b][m] * norm1[l][m]);
                    }
                    u = u * scale[b] + bqkv[l][i];
                    v = v * scale[b] + bqkv[l][i + hd / 2];
#ifndef QK_NORM
                    if (h < heads + kv) {
                        float c = cosf((float)t * rope[j]), s = sinf((float)t * rope[j]), turned = u * c - v * s;
                        v = v * c + u * s;
                        u = turned;
                    }
#endif
                    if (h < heads) {
                        q[b][i] = u;
                        q[b][i + hd / 2] = v;
                    } else if (h < heads + kv) {
                        keys[b][l][h - heads][t][j] = u;
                        keys[b][l][h - heads][t][j + hd / 2] = v;
                    } else {
                        values[b][l][h - heads - kv][t][j] = u;
                        values[b][l][h - heads - kv][t][j + hd / 2] = v;
                    }
                }
            }
#ifdef QK_NORM
#pragma omp parallel for collapse(2)
            for (int b = 0; b < active; b++)
                for (int h = 0; h < heads + kv; h++) {
                    int t = place(task[b][0] + step, context);
                    float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
                    for (int j = 0; j < hd; j++) {
                        float e = h < heads ? q[b][h * hd + j] : keys[b][l][h - heads][t][j];
                        sum += e * e;
                    }
                    factor[b][h] = 1.0f / sqrtf(sum / (float)hd + eps);
                }
#pragma omp parallel for collapse(3)
            for (int b = 0; b < active; b++)
                for (int h = 0; h < heads + kv; h++)
                    for (int j = 0; j < hd / 2; j++) {
                        int t = place(task[b][0] + step, context);
                        float c = cosf((float)t * rope[j]), s = sinf((float)t * rope[j]);
                        float u = h < heads ? q[b][h * hd + j] : keys[b][l][h - heads][t][j];
                        float v = h < heads ? q[b][h * hd + j + hd / 2] : keys[b][l][h - heads][t][j + hd / 2];
                        u *= factor[b][h] * (h < heads ? qnorm[l][j] : knorm[l][j]);
                        v *= factor[b][h] * (h < heads ? qnorm[l][j + hd / 2] : knorm[l][j + hd / 2]);
                        if (h < heads) {
                            q[b][h * hd + j] = u * c - v * s;
                            q[b][h * hd + j + hd / 2] = v * c + u * s;
                        } else {
                            keys[b][l][h - heads][t][j] = u * c - v * s;
                            keys[b][l][h - heads][t][j + hd / 2] = v * c + u * s;
                        }
                    }
#endif

                    // Attention: a score for each token so far, then the mean of the values by their softmax.
#pragma omp parallel for collapse(3)
            for (int b = 0; b < active; b++)
                for (int h = 0; h < heads; h++)
                    for (int p = 0; p <= longest; p++) {
                        float s = 0.0f;
#pragma omp simd reduction(+ : s)
                        for (int i = 0; i < hd; i++)
                            s += q[b][h * hd + i] * keys[b][l][h / (heads / kv)][p][i];
                        score[b][h][p] = s / sqrtf((float)hd);
                    }
#pragma omp parallel for collapse(3)
            for (int b = 0; b < active; b++)
                for (int h = 0; h < heads; h++)
                    for (int i = 0; i < hd; i++) {
                        int t = place(task[b][0] + step, context);
                        float most = -1e30f, sum = 0.0f, mix = 0.0f;
#pragma omp simd reduction(max : most)
                        for (int p = 0; p <= t; p++)
                            most = fmaxf(most, score[b][h][p]);
#pragma omp simd reduction(+ : sum, mix)
                        for (int p = 0; p <= t; p++) {
                            float e = expf(score[b][h][p] - most);
                            sum += e;
                            mix += e * values[b][l][h / (heads / kv)][p][i];
                        }
                        mean[b][h * hd + i] = mix / sum;
#ifdef KEEP
                        mean[b][h * hd + i] *= keep[l][h];
#endif
                    }

#pragma omp parallel for
            for (int i = 0; i < d; i++)
                for (int b = 0; b < active; b++) {
                    float s = 0.0f;
#pragma omp simd reduction(+ : s)
                    for (int j = 0; j < heads * hd; j++) {
                        SCALE(sw, wo, [l][i], j)
                        s += AT(wo, [l][i], j, sw) * mean[b][j];
                    }
                    y[b][i] = x[b][i] + s;
                }

            SCALE_ROWS(y)
#pragma omp parallel for
            for (int i = 0; i < ffn; i++)
                for (int b = 0; b < active; b++) {
                    float u = 0.0f, v = 0.0f;
#pragma omp simd reduction(+ : u, v)
                    for (int j = 0; j < d; j++) {
                        SCALE(su, gate, [l][i], j)
                        SCALE(sv, up, [l][i], j)
                        u += AT(gate, [l][i], j, su) * (y[b][j] * norm2[l][j]);
                        v += AT(up, [l][i], j, sv) * (y[b][j] * norm2[l][j]);
                    }
                    u *= scale[b];
                    g[b][i] = u / (1.0f + expf(-u)) * (v * scale[b]);
                }
#pragma omp parallel for
            for (int i = 0; i < d; i++)
                for (int b = 0; b < active; b++) {
                    float s = 0.0f;
#pragma omp simd reduction(+ : s)
                    for (int j = 0; j < ffn; j++) {
                        SCALE(sw, down, [l][i], j)
                        s += AT(down, [l][i], j, sw) * g[b][j];
                    }
                    x[b][i] = y[b][i] + s;
#ifdef STEER
                    x[b][i] += steer[l][i];
#endif
#ifdef TRACE
                    trace[l + 1][b][place(task[b][0] + step, context)][i] = x[b][i];
#endif
                }
        }

        // What comes next is given, or is chosen among all words.
        int wanted = 0;
        for (int b = 0; b < active; b++)
            wanted |= judge || task[b][0] + step + 1 >= task[b][1];
        if (wanted) {
            SCALE_ROWS(x)
#pragma omp parallel for
            for (int i = 0; i < vocab; i++)
                for (int b = 0; b < active; b++) {
                    float s = 0.0f;
#pragma omp simd reduction(+ : s)
                    for (int j = 0; j < d; j++) {
                        SCALE(sw, head, [i], j)
                        s += AT(head, [i], j, sw) * (x[b][j] * norm3[j]);
                    }
                    s *= scale[b];
                    if (seen[b][i]) s = s > 0.0f ? s / how[b][3] : s * how[b][3];
                    logits[b][i] = s;
                }
        }
        for (int b = 0; b < active; b++) {
            int t = place(task[b][0] + step, context), known = task[b][1], was_ended = ended >> b & 1;
            if (!was_ended && (t + 1 >= known || judge)) {
                int next = tokens[b][t + 1];
                float top = -1e30f, rest = 0.0f;
                if (judge || how[b][0] > 0.0f) {
#pragma omp parallel for reduction(max : top)
                    for (int i = 0; i < vocab; i++)
                        top = fmaxf(top, logits[b][i]);
                }
                if (judge) {
                    float whole = 0.0f;
#pragma omp parallel for reduction(+ : whole)
                    for (int i = 0; i < vocab; i++)
                        whole += expf(logits[b][i] - top);
                    rest = top + logf(whole);
                }
                if (t + 1 >= known) {
                    // Words below `least` are out: by bisection, as many are kept as top-k allows, then as much of the
                    // mass as top-p asks for.
                    float heat = how[b][0], least = -1e30f;
                    if (heat > 0.0f) {
                        float low = top - 100.0f, high = top;
                        for (int r = 0; r < 24 && rule[b][0] > 0; r++) {
                            float mid = 0.5f * (low + high);
                            int kept = 0;
#pragma omp parallel for reduction(+ : kept)
                            for (int i = 0; i < vocab; i++)
                                kept += logits[b][i] >= mid;
                            if (kept > rule[b][0])
                                low = mid;
                            else
                                high = mid;
                        }
                        if (rule[b][0] > 0) least = high;
                        low = top - 100.0f * heat;
                        high = top;
                        float mass = 0.0f;
#pragma omp parallel for reduction(+ : mass)
                        for (int i = 0; i < vocab; i++)
                            mass += logits[b][i] >= least ? expf((logits[b][i] - top) / heat) : 0.0f;
                        for (int r = 0; r < 24 && how[b][1] < 1.0f; r++) {
                            float mid = 0.5f * (low + high), above = 0.0f;
#pragma omp parallel for reduction(+ : above)
                            for (int i = 0; i < vocab; i++)
                                above += logits[b][i] >= least && logits[b][i] >= mid
                                             ? expf((logits[b][i] - top) / heat)
                                             : 0.0f;
                            if (above >= how[b][1] * mass)
                                low = mid;
                            else
                                high = mid;
                        }
                        if (how[b][1] < 1.0f) least = fmaxf(least, low);
                        if (how[b][2] > 0.0f) least = fmaxf(least, top + heat * logf(how[b][2]));
                    }

                    // With noise of this form on each, the largest is a sample of the softmax (Gumbel, 1954).
                    float largest = -1e30f;
                    int best = vocab;
                    unsigned seed = (unsigned)rule[b][1];
#pragma omp parallel for reduction(max : largest)
                    for (int i = 0; i < vocab; i++) {
                        float e = logits[b][i];
                        if (heat > 0.0f) e = e / heat - logf(-logf(chance(seed, (unsigned)t, (unsigned)i)));
                        largest = fmaxf(largest, logits[b][i] >= least ? e : -1e30f);
                    }
#pragma omp parallel for reduction(min : best)
                    for (int i = 0; i < vocab; i++) {
                        float e = logits[b][i];
                        if (heat > 0.0f) e = e / heat - logf(-logf(chance(seed, (unsigned)t, (unsigned)i)));
                        if (e >= largest && logits[b][i] >= least && i < best) best = i;
                    }
                    next = best < vocab ? best : 0;
                    for (int i = 0; i < 16; i++)
                        ended |= (next == stops[i]) << b;
                    tokens[b][t + 1] = next;
                }
                if (judge) likely[b][t + 1] = logits[b][next] - rest;
            }
            if (!was_ended) made[b] = step + 1;
            ended |= (t + 2 >= task[b][2]) << b;
        }
    }
}
