// build: -fdouble=float
// Bodies in an array of structs; a step in a function, sums of two kinds, a report every tenth step.
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct vec3 {
    float x, y, z;
};
typedef struct body {
    struct vec3 at, speed;
    float mass;
} body_t;

#define SOFT 0.05f

static void forces(int n, const body_t *bodies, struct vec3 *force) {
#pragma omp parallel for schedule(guided) // GPU
    for (int i = 0; i < n; i++) {
        struct vec3 f = {0, 0, 0};
        for (int k = 0; k < n; k++) {
            float dx = bodies[k].at.x - bodies[i].at.x, dy = bodies[k].at.y - bodies[i].at.y,
                  dz = bodies[k].at.z - bodies[i].at.z;
            float r2 = dx * dx + dy * dy + dz * dz + SOFT, inverse = 1.0f / (r2 * sqrtf(r2));
            f.x += dx * inverse * bodies[k].mass;
            f.y += dy * inverse * bodies[k].mass;
            f.z += dz * inverse * bodies[k].mass;
        }
        force[i] = f;
    }
}

static void move(int n, body_t *bodies, const struct vec3 *force, float dt) {
    int i;
#pragma omp parallel for default(none) shared(n, bodies, force, dt) private(i) // GPU
    for (i = 0; i < n; i++) {
        bodies[i].speed.x += dt * force[i].x;
        bodies[i].speed.y += dt * force[i].y;
        bodies[i].speed.z += dt * force[i].z;
        bodies[i].at.x += dt * bodies[i].speed.x;
        bodies[i].at.y += dt * bodies[i].speed.y;
        bodies[i].at.z += dt * bodies[i].speed.z;
    }
}

int main(void) {
    enum { N = 200 };
    body_t *bodies = malloc(N * sizeof(body_t));
    struct vec3 *force = malloc(N * sizeof *force);
    if (!bodies || !force) return 1;
    memset(bodies, 0, N * sizeof(body_t));
    for (int i = 0; i < N; i++) {
        bodies[i].at = (struct vec3){(float)(i % 7), (float)(i % 11), (float)(i % 13)};
        bodies[i].mass = 0.01f * (float)(1 + i % 3);
    }
    double from = omp_get_wtime();
    for (int t = 0; t < 30; t++) {
        forces(N, bodies, force);
        move(N, bodies, force, 0.02f);
        if (t % 10 == 0) {
            double energy = 0, mx = 0;
#pragma omp parallel for reduction(+ : energy, mx) // GPU
            for (int i = 0; i < N; i++) {
                struct vec3 v = bodies[i].speed;
                energy += 0.5 * bodies[i].mass * (v.x * v.x + v.y * v.y + v.z * v.z);
                mx += bodies[i].mass * bodies[i].at.x;
            }
            printf("%d: %.3e %.3f\n", t, energy, mx);
        }
    }
    fprintf(stderr, "%f\n", omp_get_wtime() - from);
    printf("%.3f %.3f\n", (double)bodies[5].at.x, (double)bodies[N - 1].at.z);
    free(bodies);
    free(force);
}
