// Prefix sums and a radix sort that threads share out by their numbers, with barriers between the steps; elements that go into a list up to a
// limit; letters counted by each thread.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void scan(const int *in, int *out, int n) {
    int *part = NULL;
#pragma omp parallel // CPU: `malloc` stays on the CPU
    {
        int id = omp_get_thread_num(), nt = omp_get_num_threads();
#pragma omp single
        {
            part = malloc((nt + 1) * sizeof(int));
            part[0] = 0;
        }
        int s = 0;
#pragma omp for schedule(static)
        for (int i = 0; i < n; i++) {
            s += in[i];
            out[i] = s;
        }
        part[id + 1] = s;
#pragma omp barrier
        int off = 0;
        for (int t = 0; t <= id; t++)
            off += part[t];
#pragma omp for schedule(static)
        for (int i = 0; i < n; i++)
            out[i] += off;
    }
    free(part);
}
static int part2[65];
static void scan2(const int *in, int *out, int n) {
#pragma omp parallel // GPU
    {
        int id = omp_get_thread_num(), nt = omp_get_num_threads(), lo = (long)id * n / nt, hi = (long)(id + 1) * n / nt,
            s = 0;
        for (int i = lo; i < hi; i++) {
            s += in[i];
            out[i] = s;
        }
        part2[id + 1] = s;
#pragma omp barrier
        int off = 0;
        for (int t = 1; t <= id; t++)
            off += part2[t];
        for (int i = lo; i < hi; i++)
            out[i] += off;
    }
}
static void radix(unsigned *a, unsigned *b, int n) {
    int nt = omp_get_max_threads(), *hist = malloc(nt * 256 * sizeof(int));
    for (int shift = 0; shift < 32; shift += 8) {
        memset(hist, 0, nt * 256 * sizeof(int));
#pragma omp parallel num_threads(nt) // GPU: 4 calls
        {
            int t = omp_get_thread_num(), chunk = (n + nt - 1) / nt, lo = t * chunk,
                hi = lo + chunk < n ? lo + chunk : n, *h = hist + t * 256;
            for (int i = lo; i < hi; i++)
                h[a[i] >> shift & 255]++;
#pragma omp barrier
#pragma omp single
            {
                int s = 0;
                for (int d = 0; d < 256; d++)
                    for (int k = 0; k < nt; k++) {
                        int c = hist[k * 256 + d];
                        hist[k * 256 + d] = s;
                        s += c;
                    }
            }
            for (int i = lo; i < hi; i++)
                b[h[a[i] >> shift & 255]++] = a[i];
        }
        unsigned *x = a;
        a = b;
        b = x;
    }
    free(hist);
}
static int compact(const int *x, int *y, int n, int lim) {
    int c = 0;
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++)
        if (x[i] % 7 == 3) {
            int k;
#pragma omp atomic capture
            {
                k = c;
                c += 1;
            }
            if (k < lim) y[k] = x[i];
        }
    return c;
}
int main(void) {
    int n = 3000;
    int *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y), *z = malloc(n * sizeof *z);
    unsigned *a = malloc(n * 4), *b = malloc(n * 4), s = 9;
    for (int i = 0; i < n; i++) {
        s = s * 1664525u + 1013904223u;
        a[i] = s;
        x[i] = s >> 24;
    }
    scan(x, y, n);
    scan2(x, z, n);
    printf("%d %d %d\n", y[n - 1], z[n / 2], memcmp(y, z, n * sizeof *y));
    radix(a, b, n);
    int ok = 1;
    for (int i = 1; i < n; i++)
        ok &= a[i - 1] <= a[i];
    printf("%d %u %u\n", ok, a[0], a[n - 1]);
    int c = compact(x, y, n, n);
    long t = 0;
    for (int i = 0; i < c; i++)
        t += y[i];
    printf("%d %ld\n", c, t);
    char *text = malloc(n);
    for (int i = 0; i < n; i++)
        text[i] = "the quick brown fox "[x[i] % 20];
    int words = 0, counts[26] = {0};
#pragma omp parallel for reduction(+ : words) // GPU
    for (int i = 1; i < n; i++)
        words += text[i] != ' ' && text[i - 1] == ' ';
#pragma omp parallel // GPU
    {
        int local[26] = {0};
#pragma omp for nowait
        for (int i = 0; i < n; i++)
            if (text[i] >= 'a' && text[i] <= 'z') local[text[i] - 'a']++;
#pragma omp critical
        {
            for (int k = 0; k < 26; k++)
                counts[k] += local[k];
        }
    }
    printf("%d", words);
    for (int k = 0; k < 26; k++)
        printf(" %d", counts[k]);
    printf("\n");
    return 0;
}
