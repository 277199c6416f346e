// Bootstrap of the correlation of two columns and of the median of the first: each resample draws rows with a counter-based generator
// (Threefry-2x32, 20 rounds). The confidence limits come from a second loop that ranks the resamples.
// run: -i n=200 -i resamples=4000 -i seed=2024 -i x=normal:seed=1 -i noise=normal:sd=0.8,seed=2
// test: -i n=40 -i resamples=60 -i seed=2024 -i x=normal:seed=1 -i noise=normal:sd=0.8,seed=2
// check: abs 1e-4
#include <math.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint32_t v[2];
} pair32;

static inline uint32_t rotl(uint32_t x, unsigned by) { return (x << by) | (x >> (32 - by)); }

static pair32 threefry(pair32 counter, pair32 key) {
    static const unsigned char rotation[8] = {13, 15, 26, 6, 17, 29, 16, 24};
    const uint32_t ks[3] = {key.v[0], key.v[1], key.v[0] ^ key.v[1] ^ 0x1BD11BDAu};
    uint32_t a = counter.v[0] + ks[0], b = counter.v[1] + ks[1];
    for (unsigned round = 0; round < 20; round++) {
        a += b;
        b = rotl(b, rotation[round % 8]) ^ a;
        if (round % 4 == 3) {
            const unsigned s = round / 4 + 1;
            a += ks[s % 3];
            b += ks[(s + 1) % 3] + s;
        }
    }
    return (pair32){{a, b}};
}

// Below n, from 32 random bits.
static uint32_t below(uint32_t bits, uint32_t n) { return (uint32_t)(((uint64_t)bits * n) >> 32); }

// The k-th smallest of values drawn with repetition: count[i] says how often the i-th smallest value was drawn.
static float kth(const float sorted[], const uint16_t *count, int k) {
    int i = 0;
    do {
        k -= count[i++];
    } while (k >= 0);
    return sorted[i - 1];
}

struct moments {
    float n, mean_x, mean_y, xx, yy, xy;
};

static void push(struct moments *m, float x, float y, float weight) {
    m->n += weight;
    const float dx = x - m->mean_x, dy = y - m->mean_y;
    m->mean_x += weight * dx / m->n;
    m->mean_y += weight * dy / m->n;
    m->xx += weight * dx * (x - m->mean_x);
    m->yy += weight * dy * (y - m->mean_y);
    m->xy += weight * dx * (y - m->mean_y);
}

void bootstrap(int n, int resamples, unsigned seed, const float x[n], const float noise[n], float correlation[resamples],
               float median[resamples], float limits[2][2], float standard_error[1]) {
    float sorted[n], y[n];
    // sort by rank: each element says where it belongs
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int rank = 0;
        for (int j = 0; j < n; j++)
            rank += x[j] < x[i] || (x[j] == x[i] && j < i);
        sorted[rank] = x[i];
        y[rank] = 0.6f * x[i] + noise[i];
    }

    float sum = 0.0f, squares = 0.0f;
#pragma omp parallel for reduction(+ : sum, squares)
    for (int r = 0; r < resamples; r++) {
        uint16_t count[n];
        for (int i = 0; i < n; i++)
            count[i] = 0;
        for (int draw = 0; draw < n; draw += 2) {
            const pair32 counter = {{(uint32_t)draw, (uint32_t)r}}, key = {{seed, 7u}};
            const pair32 bits = threefry(counter, key);
            for (int half = 0; half < 2 && draw + half < n; half++)
                count[below(bits.v[half], (uint32_t)n)]++;
        }
        struct moments m = {0};
        for (size_t i = 0; i < (size_t)n; i++)
            if (count[i])
                push(&m, sorted[i], y[i], count[i]);
        correlation[r] = m.xy / sqrtf(m.xx * m.yy);
        median[r] = 0.5f * (kth(sorted, count, (n - 1) / 2) + kth(sorted, count, n / 2));
        sum += correlation[r];
        squares += correlation[r] * correlation[r];
    }
    const float mean = sum / resamples;
    standard_error[0] = sqrtf((squares - mean * sum) / (resamples - 1));

    const int low = resamples / 40, high = resamples - 1 - low;
#pragma omp parallel for
    for (int r = 0; r < resamples; r++) {
        for (int s = 0; s < 2; s++) {
            const float *statistic = s == 0 ? correlation : median;
            int rank = 0;
            for (int q = 0; q < resamples; q++)
                rank += statistic[q] < statistic[r] || (statistic[q] == statistic[r] && q < r);
            if (rank == low)
                limits[s][0] = statistic[r];
            if (rank == high)
                limits[s][1] = statistic[r];
        }
    }
}
