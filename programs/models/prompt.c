// prompt.c - the tokens of prompts as products of matrices: what transformer.c would compute for each of them alone.
//
// It fills keys and values, from which transformer.c goes on. A part is up to ROWS tokens of one text that follow each
// other; part: the text, the position of the first, and how many there are, 0: the part is not used, and nothing is
// computed for it. All tokens before a part were computed in earlier calls, or are parts of the same one. Rows of a
// part that are not used repeat its first token, and nothing is kept of them. Each row of weights is used for all rows
// of a part while it is near. Macros: QK_NORM, HEAD and FORM are transformer.c's. JUDGE: likely[b][t + 1] becomes the
// logarithm of the share that the model gives to tokens[b][t + 1]; `used`: parts in use, the first ones.
//
// run: -i layers=4 -i d=256 -i heads=4 -i kv=2 -i hd=64 -i ffn=704 -i vocab=4096 -i context=512 -i parts=8
// run: -i texts=1 -i part=0,0,32,0,32,32,0,64,32,0,96,32,0,128,32,0,160,32,0,192,32,0,224,32 -i eps=1e-5
// run: -i tokens=uniform:lo=0,hi=4096,seed=3 -i rope=uniform:lo=0,hi=1,seed=9
// run: -i embed=normal:sd=0.05,seed=1 -i wqkv=normal:sd=0.05,seed=2 -i bqkv=zeros
// run: -i wo=normal:sd=0.05,seed=5 -i gate=normal:sd=0.05,seed=6
// run: -i up=normal:sd=0.05,seed=7 -i down=normal:sd=0.05,seed=8 -i norm1=const:1 -i norm2=const:1
// test: -i layers=2 -i d=32 -i heads=4 -i kv=2 -i hd=16 -i ffn=48 -i vocab=100 -i context=96 -i parts=3 -DJUDGE
// test: -i texts=2 -i used=3 -i part=1,3,32,1,35,9,0,0,20 -i eps=1e-5
// test: -i tokens=uniform:lo=0,hi=100,seed=3 -i rope=uniform:lo=0,hi=1,seed=9
// test: -i keys=normal:sd=0.3,seed=11 -i values=normal:sd=0.3,seed=12
// test: -i embed=normal:sd=0.3,seed=1 -i wqkv=normal:sd=0.1,seed=2 -i bqkv=normal:sd=0.1,seed=3
// test: -i wo=normal:sd=0.1,seed=5 -i gate=normal:sd=0.1,seed=6
// test: -i up=normal:sd=0.1,seed=7 -i down=normal:sd=0.1,seed=8 -i norm1=const:1 -i norm2=const:1 -i norm3=const:1
// check: abs 1e-3
// dispatches: 1
// barriers: 10 a step
#include <math.h>

#define ROWS 32

// A matrix, and its element `j` of a row, as in transformer.c.
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

// One row of `from` over its root mean square, times `norm`, to `to`.
static void normalise(int d, float eps, const float from[d], const float norm[d], float to[d]) {
    float square = 0.0f;
#pragma omp simd reduction(+ : square)
    for (int i = 0; i < d; i++)
        square += from[i] * from[i];
    float scale = 1.0f / sqrtf(square / (float)d + eps);
#pragma omp simd
    for (int i = 0; i < d; i++)
        to[i] = from[i] * norm[i] * scale;
}

void prompt(int layers, int d, int heads, int kv, int hd, int ffn, int vocab, int texts, int context, int parts,
            float eps, const int part[parts][3], const float rope[hd / 2], MATRIX(embed, [vocab], d),
            const float norm1[layers][d], MATRIX(wqkv, [layers][(heads + 2 * kv) * hd], d),
            const float bqkv[layers][(heads + 2 * kv) * hd],
#ifdef QK_NORM
            const float qnorm[layers][hd], const float knorm[layers][hd],
#endif
            MATRIX(wo, [layers][d], heads * hd), const float norm2[layers][d], MATRIX(gate, [layers][ffn], d),
            MATRIX(up, [layers][ffn], d), MATRIX(down, [layers][d], ffn),
#ifdef JUDGE
            int used, const float norm3[d],
#ifdef HEAD
            MATRIX(head, [vocab], d),
#endif
            float likely[texts][context],
#endif
            const int tokens[texts][context], float keys[texts][layers][kv][context][hd],
            float values[texts][layers][kv][context][hd]) {
    float x[parts][ROWS][d], y[parts][ROWS][d], n[parts][ROWS][d], qkv[parts][ROWS][(heads + 2 * kv) * hd],
        score[parts][heads][ROWS][context], sum[parts][heads][ROWS], mean[parts][ROWS][heads * hd],
        g[parts][ROWS][ffn];
#ifdef JUDGE
    float logits[ROWS][vocab];
#endif
#pragma omp parallel for collapse(3)
    for (int k = 0; k < parts; k++)
        for (int r = 0; r < ROWS; r++)
            for (int i = 0; i < d; i++) {
                int token = tokens[part[k][0]][part[k][1] + (r < part[k][2] ? r : 0)];
                SCALE(s, embed, [token], i)
                x[k][r][i] = AT(embed, [token], i, s);
            }

    for (int l = 0; l < layers; l++) {
#pragma omp parallel for collapse(2)
        for (int k = 0; k < parts; k++)
            for (int r = 0; r < ROWS; r++)
                if (part[k][2] > 0) normalise(d, eps, x[k][r], norm1[l], n[k][r]);
#pragma omp parallel for collapse(3)
        for (int k = 0; k < parts; k++)
            for (int i = 0; i < (heads + 2 * kv) * hd; i++)
                for (int r = 0; r < ROWS; r++)
                    if (part[k][2] > 0) {
                        float s = 0.0f;
#pragma omp simd reduction(+ : s)
                        for (int j = 0; j < d; j++) {
                            SCALE(sw, wqkv, [l][i], j)
                            s += AT(wqkv, [l][i], j, sw) * n[k][r][j];
                        }
                        qkv[k][r][i] = s + bqkv[l][i];
                    }

        // The pairs (j, j + hd / 2) of queries and keys turn by an angle. Keys and values go where they stay.
#pragma omp parallel for collapse(3)
        for (int k = 0; k < parts; k++)
            for (int r = 0; r < ROWS; r++)
                for (int h = 0; h < heads + 2 * kv; h++)
                    if (r < part[k][2]) {
                        int b = part[k][0], t = part[k][1] + r;
                        float factor = 1.0f;
#ifdef QK_NORM
                        float square = 0.0f;
#pragma omp simd reduction(+ : square)
                        for (int j = 0; j < hd; j++)
                            square += qkv[k][r][h * hd + j] * qkv[k][r][h * hd + j];
                        factor = 1.0f / sqrtf(square / (float)hd + eps);
#endif
#pragma omp simd
                        for (int j = 0; j < hd / 2; j++) {
                            float u = qkv[k][r][h * hd + j], v = qkv[k][r][h * hd + j + hd / 2];
                            if (h < heads + kv) {
                                float c = cosf((float)t * rope[j]), s = sinf((float)t * rope[j]);
#ifdef QK_NORM
                                u *= factor * (h < heads ? qnorm[l][j] : knorm[l][j]);
                                v *= factor * (h < heads ? qnorm[l][j + hd / 2] : knorm[l][j + hd / 2]);
#endif
                                float turned = u * c - v * s;
                                v = v * c + u * s;
                                u = turned;
                            }
                            if (h < heads) {
                                qkv[k][r][h * hd + j] = u;
                                qkv[k][r][h * hd + j + hd / 2] = v;
                            } else if (h < heads + kv) {
                                keys[b][l][h - heads][t][j] = u;
                                keys[b][l][h - heads][t][j + hd / 2] = v;
                            } else {
                                values[b][l][h - heads - kv][t][j] = u;
                                values[b][l][h - heads - kv][t][j + hd / 2] = v;
                            }
                        }
                    }

        // Scores of all tokens up to the part's last; then those behind a row's own token count nothing.
#pragma omp parallel for collapse(5)
        for (int k = 0; k < parts; k++)
            for (int h = 0; h < heads; h++)
                for (int m = 0; m < context / ROWS; m++)
                    for (int p = 0; p < ROWS; p++)
                        for (int r = 0; r < ROWS; r++)
                            if (m * ROWS < part[k][1] + part[k][2]) {
                                float s = 0.0f;
#pragma omp simd reduction(+ : s)
                                for (int i = 0; i < hd; i++)
                                    s += qkv[k][r][h * hd + i] *
                                         keys[part[k][0]][l][h / (heads / kv)][m * ROWS + p][i];
                                score[k][h][r][m * ROWS + p] = s / sqrtf((float)hd);
                            }
#pragma omp parallel for collapse(3)
        for (int k = 0; k < parts; k++)
            for (int h = 0; h < heads; h++)
                for (int r = 0; r < ROWS; r++)
                    if (part[k][2] > 0) {
                        int t = part[k][1] + (r < part[k][2] ? r : 0), end = part[k][1] + part[k][2];
                        float most = -1e30f, whole = 0.0f;
#pragma omp simd reduction(max : most)
                        for (int p = 0; p <= t; p++)
                            most = fmaxf(most, score[k][h][r][p]);
#pragma omp simd reduction(+ : whole)
                        for (int p = 0; p < end; p++) {
                            float e = p <= t ? expf(score[k][h][r][p] - most) : 0.0f;
                            score[k][h][r][p] = e;
                            whole += e;
                        }
                        sum[k][h][r] = whole;
                    }
#pragma omp parallel for collapse(4)
        for (int k = 0; k < parts; k++)
            for (int h = 0; h < heads; h++)
                for (int r = 0; r < ROWS; r++)
                    for (int i = 0; i < hd; i++)
                        if (part[k][2] > 0) {
                            float s = 0.0f;
                            for (int p = 0; p < part[k][1] + part[k][2]; p++)
                                s += score[k][h][r][p] * values[part[k][0]][l][h / (heads / kv)][p][i];
                            mean[k][r][h * hd + i] = s / sum[k][h][r];
                        }

#pragma omp parallel for collapse(3)
        for (int k = 0; k < parts; k++)
            for (int i = 0; i < d; i++)
                for (int r = 0; r < ROWS; r++)
                    if (part[k][2] > 0) {
                        float s = 0.0f;
#pragma omp simd reduction(+ : s)
                        for (int j = 0; j < heads * hd; j++) {
                            SCALE(sw, wo, [l][i], j)
                            s += AT(wo, [l][i], j, sw) * mean[k][r][j];
                        }
                        y[k][r][i] = x[k][r][i] + s;
                    }
#pragma omp parallel for collapse(2)
        for (int k = 0; k < parts; k++)
            for (int r = 0; r < ROWS; r++)
                if (part[k][2] > 0) normalise(d, eps, y[k][r], norm2[l], n[k][r]);
#pragma omp parallel for collapse(3)
        for (int k = 0; k < parts; k++)
            for (int i = 0; i < ffn; i++)
                for (int r = 0; r < ROWS; r++)
                    if (part[k][2] > 0) {
                        float u = 0.0f, v = 0.0f;
#pragma omp simd reduction(+ : u, v)
                        for (int j = 0; j < d; j++) {
                            SCALE(su, gate, [l][i], j)
                            SCALE(sv, up, [l][i], j)
                            u += AT(gate, [l][i], j, su) * n[k][r][j];
                            v += AT(up, [l][i], j, sv) * n[k][r][j];
                        }
                        g[k][r][i] = u / (1.0f + expf(-u)) * v;
                    }
#pragma omp parallel for collapse(3)
        for (int k = 0; k < parts; k++)
            for (int i = 0; i < d; i++)
                for (int r = 0; r < ROWS; r++)
                    if (part[k][2] > 0) {
                        float s = 0.0f;
#pragma omp simd reduction(+ : s)
                        for (int j = 0; j < ffn; j++) {
                            SCALE(sw, down, [l][i], j)
                            s += AT(down, [l][i], j, sw) * g[k][r][j];
                        }
                        x[k][r][i] = y[k][r][i] + s;
                    }
    }

#ifdef JUDGE
#pragma omp parallel for collapse(2)
    for (int k = 0; k < parts; k++)
        for (int r = 0; r < ROWS; r++)
            if (part[k][2] > 0) normalise(d, eps, x[k][r], norm3, n[k][r]);
    for (int k = 0; k < used; k++) { // one after the other: logits of all parts would be many
#pragma omp parallel for collapse(2)
        for (int i = 0; i < vocab; i++)
            for (int r = 0; r < ROWS; r++) {
                float s = 0.0f;
#pragma omp simd reduction(+ : s)
                for (int j = 0; j < d; j++) {
                    SCALE(sw, head, [i], j)
                    s += AT(head, [i], j, sw) * n[k][r][j];
                }
                logits[r][i] = s;
            }
#pragma omp parallel for
        for (int r = 0; r < ROWS; r++)
            if (r < part[k][2]) {
                int b = part[k][0], t = part[k][1] + r;
                float top = -1e30f, whole = 0.0f;
#pragma omp simd reduction(max : top)
                for (int i = 0; i < vocab; i++)
                    top = fmaxf(top, logits[r][i]);
#pragma omp simd reduction(+ : whole)
                for (int i = 0; i < vocab; i++)
                    whole += expf(logits[r][i] - top);
                likely[b][t + 1] = logits[r][tokens[b][t + 1]] - top - logf(whole);
            }
    }
#endif
}
