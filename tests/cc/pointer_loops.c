// Parallel loops that count by a pointer, up and down, by steps, to an end that is one more or is not; inside of regions; in a struct.
#include <stdio.h>
#include <stdlib.h>

struct series {
    int n;
    float *begin, *end;
};

static float total(const float *a, size_t n) {
    float sum = 0;
#pragma omp parallel for reduction(+ : sum) // GPU
    for (const float *p = a; p < a + n; p++)
        sum += *p;
    return sum;
}

static void scale(float *begin, float *end, float by) {
    float *p;
#pragma omp parallel for // GPU: 3 calls
    for (p = begin; p != end; ++p)
        *p *= by;
}

static void down(float *a, int n, int by) {
    float *p;
#pragma omp parallel for default(none) shared(a, n, by) private(p) // GPU: 3 calls
    for (p = a + n - 1; p >= a; p -= by)
        *p += (float)by;
}

static void steps(const struct series *s) {
#pragma omp parallel // GPU
    {
#pragma omp for
        for (float *p = s->begin; p <= s->end - 1; p += 3)
            *p += 1;
#pragma omp for nowait
        for (float *p = s->end - 1; p > s->begin + 4; p--)
            if (*p > 3) *p -= 3;
    }
}

static int longest(const int *words, int n) {
    int most = 0;
#pragma omp parallel for reduction(max : most) // GPU
    for (const int *w = words; w < words + n; w += 4)
#pragma omp simd
        for (int k = 0; k < 4; k++)
            most = w[k] > most ? w[k] : most;
    return most;
}

// Whether there is such a series is not known before the region.
static void may_be(float *a, int n, const struct series *s) {
#pragma omp parallel // CPU
    {
#pragma omp for
        for (int i = 0; i < n; i++)
            a[i] += 1;
        if (s) {
#pragma omp for
            for (float *p = s->begin; p < s->end; p += 2 * n)
                *p += 2;
        }
    }
}

static void strided(float *a, int n, int by) {
#pragma omp parallel for // GPU
    for (float *p = a; p < a + n; p += 2 * by)
        *p -= 1;
}

// None at all.
static void nothing(float *a) {
#pragma omp parallel for // GPU
    for (float *p = a; p < a; p++)
        *p = 0;
}

static void last(float *a, int n) {
    float *p;
#pragma omp parallel for lastprivate(p) // CPU: must be an integer
    for (p = a; p < a + n; p++)
        *p += 1;
    *p = 1;
}

int main(void) {
    enum { N = 1005 }; // all that malloc gives for N + 1
    float *a = malloc(sizeof(float) * (N + 1));
    int *words = malloc(sizeof(int) * 400);
    for (int i = 0; i <= N; i++)
        a[i] = (float)(i * 7 % 10);
    for (int i = 0; i < 400; i++)
        words[i] = i * 31 % 97;
    printf("%g\n", (double)total(a, N));
    scale(a, a + N, 2.0f);
    scale(a, a + N + 1, 0.5f); // behind the allocation
    scale(a, a + N + 1, 2.0f);
    printf("%g\n", (double)total(a, N));
    for (int by = 1; by < 4; by++)
        down(a, N, by);
    printf("%g %g\n", (double)total(a, N), (double)a[0]);
    const struct series s = {N, a, a + N};
    steps(&s);
    printf("%g %d\n", (double)total(a, N), longest(words, 400));
    may_be(a, N, NULL);
    may_be(a, N, &s);
    strided(a, N, 5);
    nothing(a);
    last(a, N);
    printf("%g\n", (double)total(a, N + 1));
    return 0;
}
