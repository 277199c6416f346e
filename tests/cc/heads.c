// Bytes that go on behind the head of a struct, `data[]`, whose numbers a region reads: they are no elements of it, whatever the indices are.
// A pointer to all of the memory may lead to them.
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int w, h, most;
    unsigned char data[];
} image;

static void flip(image *im) {
#pragma omp parallel for // GPU: 2 calls
    for (int y = 0; y < im->h; y++) {
        unsigned char *row = im->data + y * im->w;
        for (int a = 0, b = im->w - 1; a < b; a++, b--) {
            unsigned char t = row[a];
            row[a] = row[b];
            row[b] = t;
        }
    }
}
static void map(image *im, const image *by, const int *at) {
#pragma omp parallel for // GPU
    for (int i = 0; i < im->w * im->h; i++)
        im->data[at[i]] = (unsigned char)(by->data[i] + im->most);
}
static void brightest(image *im, const int *at) { // the head is written, too
    int most = 0;
#pragma omp parallel for reduction(max : most) // GPU
    for (int i = 0; i < im->w * im->h; i++) {
        most = im->data[at[i]] > most ? im->data[at[i]] : most;
        im->data[at[i]] /= 2;
        if (i == 5) im->most = 7;
    }
    im->most += most;
}
static void all(image *im, unsigned char *memory, const int *at) {
#pragma omp parallel for // CPU at run time: 'memory' points to 'im__w'
    for (int i = 0; i < im->w; i++)
        memory[at[i]] = (unsigned char)(im->data[i] + im->h);
}

int main(void) {
    int w = 90, h = 70, *at = malloc((size_t)(w * h) * sizeof *at), sum = 0;
    image *im = calloc(1, sizeof *im + (size_t)(w * h)), *by = calloc(1, sizeof *im + (size_t)(w * h));
    if (!im || !by || !at) return 1;
    im->w = by->w = w, im->h = by->h = h, im->most = 3;
    for (int i = 0; i < w * h; i++)
        im->data[i] = (unsigned char)(i * i), by->data[i] = (unsigned char)(i * 7), at[i] = i * 11 % (w * h);
    flip(im);
    flip(by);
    printf("%d %d\n", im->data[100], by->data[17]);
    map(im, by, at);
    brightest(im, at);
    for (int i = 0; i < w * h; i++)
        sum += im->data[i] * (i % 13);
    printf("%d %d %d %d\n", sum, im->w, im->h, im->most);
    for (int i = 0; i < w; i++)
        at[i] = 8 + (i == 7 ? 0 : i * 3); // im->most, and then pixels
    all(im, (unsigned char *)im, at);
    printf("%d %d %d %d\n", im->w, im->h, im->most, im->data[0]);
    free(im);
    free(by);
    free(at);
    return 0;
}
