// histogram.c - contrast of an image by its histogram, again and again with a changed image.
//
// Source: histogram equalisation (R. A. Hummel, "Histogram modification techniques", 1975).
//
// run: -i pixels=2000000 -i rounds=20 -i grey=uniform:lo=0,hi=255,seed=1
// test: -i pixels=3000 -i rounds=3 -i grey=uniform:lo=0,hi=255,seed=1
// check: exact
// dispatches: 1
// barriers: 3 a round
void histogram(int pixels, int rounds, int grey[pixels], int count[256]) {
    int below[256];
    for (int r = 0; r < rounds; r++) {
#pragma omp parallel for
        for (int b = 0; b < 256; b++)
            count[b] = 0;
#pragma omp parallel for
        for (int i = 0; i < pixels; i++) {
#pragma omp atomic
            count[grey[i]]++;
        }
        below[0] = count[0];
        for (int b = 1; b < 256; b++)
            below[b] = below[b - 1] + count[b];
#pragma omp parallel for
        for (int i = 0; i < pixels; i++)
            grey[i] = (int)((float)below[grey[i]] / (float)pixels * 255.0f + (float)((i + r) % 3)) & 255;
    }
}
