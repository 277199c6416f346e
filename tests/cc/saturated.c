// Histograms that stop at a limit, of bytes, shorts and words, by the critical section that looks first.
#include <stdio.h>
static unsigned char h[256], h2[64];
static int x[9000], hi[64];
static unsigned short hs[64];
int main(void) {
    int n = 9000;
    for (int i = 0; i < n; i++)
        x[i] = (int)((unsigned)i * 2654435761u >> 24);
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++) {
#pragma omp critical
        {
            if (h[x[i]] < 255) h[x[i]]++;
        }
    }
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++) {
#pragma omp critical
        if (h2[x[i] & 63] < 250) ++h2[x[i] & 63];
    }
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++) {
#pragma omp critical
        if (hi[x[i] & 63] < 120) hi[x[i] & 63] += 1;
    }
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++) {
        int b = x[i] & 63;
#pragma omp critical
        {
            if (hs[b] < 100) {
                hs[b]++;
            }
        }
    }
    unsigned s = 0;
    for (int i = 0; i < 256; i++)
        s = s * 31 + h[i];
    for (int i = 0; i < 64; i++)
        s = s * 31 + h2[i] + hi[i] * 7 + hs[i];
    printf("%u\n", s);
}
