// Pictures whose pixels are structs of bytes: read from a file, blurred, drawn into, counted; and points of 16 bits.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    uint8_t r, g, b;
} pixel;
typedef struct {
    int width, height;
    pixel *at;
} picture;
typedef struct {
    int16_t x, y;
} point;

static uint8_t clamp(int v) { return (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v); }

static void blur(const picture *in, picture *out) {
#pragma omp parallel for // GPU
    for (int y = 0; y < in->height; y++)
        for (int x = 0; x < in->width; x++) {
            int r = 0, g = 0, b = 0, n = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++) {
                    int i = x + dx, j = y + dy;
                    if (i < 0 || j < 0 || i >= in->width || j >= in->height) continue;
                    pixel p = in->at[j * in->width + i];
                    r += p.r, g += p.g, b += p.b, n++;
                }
            out->at[y * in->width + x] = (pixel){clamp(r / n), clamp(g / n + 3), clamp(2 * b / n)};
        }
}

int main(void) {
    picture a = {37, 23, NULL}, b = a;
    FILE *f = tmpfile();
    a.at = malloc(sizeof *a.at * (size_t)(a.width * a.height));
    b.at = calloc((size_t)(b.width * b.height), sizeof *b.at);
    for (int i = 0; f && i < 3 * a.width * a.height; i++)
        fputc(i * 7 % 256, f);
    if (!f || fseek(f, 0, SEEK_SET) || fread(a.at, sizeof *a.at, (size_t)(a.width * a.height), f) == 0) return 1;
    fclose(f);
    for (int k = 0; k < 3; k++) {
        blur(&a, &b);
        picture t = a;
        a = b;
        b = t;
    }
    point *corners = calloc(100, sizeof *corners);
#pragma omp parallel for // GPU
    for (int i = 0; i < 100; i++) {
        corners[i].x = (int16_t)(i * 900);
        corners[i].y -= corners[i].x / 2;
    }
    int dark = 0;
#pragma omp parallel for reduction(+ : dark) // GPU
    for (int i = 0; i < a.width * a.height; i++) {
        pixel *p = &a.at[i];
        if (p->r + p->g + p->b < 300) {
            dark++;
            p->b = 255;
        }
    }
    unsigned sum = 0;
    for (int i = 0; i < a.width * a.height; i++)
        sum = sum * 31 + a.at[i].r + 2u * a.at[i].g + 3u * a.at[i].b;
    printf("%d %u %d %d\n", dark, sum, corners[99].x, corners[99].y);
    free(a.at);
    free(b.at);
    free(corners);
    return 0;
}
