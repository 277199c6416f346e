// Structs of nothing but doubles, as floats on the device: bodies, with structs and arrays in them. Those that mix them with other types, too.
// build: -fdouble=float
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
struct vector { double x, y, z; };
struct body { struct vector at, speed; double mass, history[2]; };
static struct vector centre;
struct counted {
    double sum;
    int count;
};
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 300;
    struct body *b = malloc(n * sizeof *b);
    struct vector *force = malloc(n * sizeof *force);
    for (int i = 0; i < n; i++) {
        struct body one = {{sin(i * 1.7), cos(i * 0.9), sin(i * 0.3)}, {0, 0, 0}, 1 + i % 3, {0, 0}};
        b[i] = one;
    }
    for (int t = 0; t < 10; t++) { // GPU
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            struct vector f = {0, 0, 0};
            for (int j = 0; j < n; j++) {
                double dx = b[j].at.x - b[i].at.x, dy = b[j].at.y - b[i].at.y, dz = b[j].at.z - b[i].at.z;
                double s = b[j].mass / (dx * dx + dy * dy + dz * dz + 0.1);
                f.x += dx * s; f.y += dy * s; f.z += dz * s;
            }
            force[i] = f;
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            b[i].speed.x += force[i].x * 1e-4; b[i].speed.y += force[i].y * 1e-4; b[i].speed.z += force[i].z * 1e-4;
            b[i].at.x += b[i].speed.x; b[i].at.y += b[i].speed.y; b[i].at.z += b[i].speed.z;
            b[i].history[t % 2] = b[i].at.x;
        }
    }
    for (int i = 0; i < n; i++) { centre.x += b[i].at.x * b[i].mass; centre.y += b[i].history[1]; }
    struct counted *c = calloc(n, sizeof *c);
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++) {
        c[i].sum += b[i].at.x;
        c[i].count++;
    }
    centre.z = c[7].sum + c[7].count;
    printf("%.4f %.4f %.4f %.4f\n", centre.x, centre.y, centre.z, b[n - 1].speed.z);
    return 0;
}
