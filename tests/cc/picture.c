// A picture in bytes, written to standard output and to a file that is read again.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define WIDTH 320
#define HEIGHT 240
static unsigned char image[HEIGHT][WIDTH];
static uint32_t counts[WIDTH * HEIGHT];

int main(void) {
    const int most = 60;
#pragma omp parallel for schedule(dynamic, 4) // GPU
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            float cr = (float)(x - 200) / 128.0f, ci = (float)(y - 120) / 128.0f, zr = 0, zi = 0;
            int n = 0;
            while (n < most && zr * zr + zi * zi < 64.0f) {
                float t = zr * zr - zi * zi + cr;
                zi = 2 * zr * zi + ci;
                zr = t;
                n++;
            }
            image[y][x] = (unsigned char)(n > 12 ? 255 : 0); // far from the edge, so that rounding does not show
            counts[y * WIDTH + x] = n < most ? 0u : 1u;
        }
    long inside = 0, sum = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        inside += counts[i];
    printf("P5\n%d %d\n255\n", WIDTH, HEIGHT / 60);
    for (int y = 0; y < HEIGHT; y += 60)
        for (int x = 0; x < WIDTH; x += 40)
            sum += image[y][x];
    printf("%ld %s\n", sum, inside > 5000 && inside < 60000 ? "some" : "none");
    FILE *f = tmpfile();
    if (!f || fwrite(image, 1, sizeof image, f) != sizeof image) return 1;
    rewind(f);
    unsigned char *again = malloc(sizeof image);
    if (!again || fread(again, WIDTH, HEIGHT, f) != HEIGHT) return 1;
#pragma omp parallel for // GPU
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        again[i] = (unsigned char)(255 - again[i]);
    sum = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i += 977)
        sum += again[i] + image[i / WIDTH][i % WIDTH];
    printf("%ld\n", sum);
    free(again);
    fclose(f);
    return 0;
}
