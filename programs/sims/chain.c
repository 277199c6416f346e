// chain.c - layer norm, bias, GELU and dropout mask over rows of 1024, one after the other as an array language runs
// them.
//
// Source: the element-wise tail of a transformer's feed-forward layer; GELU in its tanh form (D. Hendrycks, K. Gimpel
// 2016). As written each of the four operations reads and writes the whole array: 8 passes over memory, 512 MB for
// 16,384 rows. Fused, x is read and y is written once: 2 passes (the statistics' second look at a row finds it in the
// cache). The mask adds a quarter of a pass: a byte an element, 0 where the element is dropped. With uniform bytes 0..7
// that is one in 8, and the others are scaled by 8/7.
//
// run: -i rows=16384 -i x=normal:seed=1 -i bias=normal:sd=0.1,seed=2 -i mask=uniform:lo=0,hi=8,seed=3
// test: -i rows=48 -i x=normal:seed=1 -i bias=normal:sd=0.1,seed=2 -i mask=uniform:lo=0,hi=8,seed=3
// check: abs 1e-5
// dispatches: 1
#include <math.h>
#include <stdint.h>

enum { COLUMNS = 1024 };

#define KEEP_SCALE (8.0f / 7.0f)

static float gelu(float v) { return 0.5f * v * (1.0f + tanhf(0.79788456f * (v + 0.044715f * v * v * v))); }

void chain(int rows, const float x[rows][COLUMNS], const float bias[COLUMNS], const uint8_t mask[rows][COLUMNS],
           float y[rows][COLUMNS]) {
#pragma omp parallel for
    for (int r = 0; r < rows; r++) {
        float sum = 0.0f, squares = 0.0f;
#pragma omp simd reduction(+ : sum)
        for (int c = 0; c < COLUMNS; c++)
            sum += x[r][c];
        float mean = sum / (float)COLUMNS;
#pragma omp simd reduction(+ : squares)
        for (int c = 0; c < COLUMNS; c++)
            squares += (x[r][c] - mean) * (x[r][c] - mean);
        float scale = 1.0f / sqrtf(squares / (float)COLUMNS + 1e-5f);
#pragma omp simd
        for (int c = 0; c < COLUMNS; c++)
            y[r][c] = (x[r][c] - mean) * scale;
    }

#pragma omp parallel for
    for (int r = 0; r < rows; r++)
#pragma omp simd
        for (int c = 0; c < COLUMNS; c++)
            y[r][c] += bias[c];

#pragma omp parallel for
    for (int r = 0; r < rows; r++)
#pragma omp simd
        for (int c = 0; c < COLUMNS; c++)
            y[r][c] = gelu(y[r][c]);

#pragma omp parallel for
    for (int r = 0; r < rows; r++)
#pragma omp simd
        for (int c = 0; c < COLUMNS; c++)
            y[r][c] = mask[r][c] != 0 ? y[r][c] * KEEP_SCALE : 0.0f;
}
