// nbody.c - bodies of mass 1 that attract each other: all pairs, every step.
//
// Newton's law with G = 1, the squared distance made larger by 0.01 so that close encounters stay finite; a step of
// 0.01 changes the velocities first and then moves with the new ones (symplectic Euler). position, velocity are the
// state at the start and at the end. The other size that is compared: n=4096 steps=200.
//
// Encounters amplify rounding. A cloud of deviation 1 collapses within ten steps, and two correct compilers then part
// by its whole size; one of deviation 10 is still falling together at the end of the run, and they agree to 1e-4 in
// the positions and 1e-3 in the velocities. For n=4096 that takes a deviation of 30.
//
// One barrier a step: positions are read from one array and written to another in turn (double buffering), so that
// nobody has to wait before moving until all forces are known. Velocities are only touched by their owner.
//
// run: -i n=512 -i steps=200 -i position=normal:sd=10,seed=1
// test: -i n=48 -i steps=8 -i position=normal:seed=1
// check: position abs 1e-3
// check: velocity abs 8e-3
// dispatches: 1
// barriers: 1 a step
#include <math.h>

#define DT 0.01f
#define SOFTENING 0.01f // added to the squared distance

void nbody(int n, int steps, float position[n][3], float velocity[n][3]) {
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            float x = position[i][0], y = position[i][1], z = position[i][2];
            float ax = 0.0f, ay = 0.0f, az = 0.0f;
#pragma omp simd reduction(+ : ax, ay, az)
            for (int j = 0; j < n; j++) {
                float dx = position[j][0] - x, dy = position[j][1] - y, dz = position[j][2] - z;
                float r2 = dx * dx + dy * dy + dz * dz + SOFTENING;
                float pull = 1.0f / (r2 * sqrtf(r2));
                ax += dx * pull;
                ay += dy * pull;
                az += dz * pull;
            }
            velocity[i][0] += DT * ax;
            velocity[i][1] += DT * ay;
            velocity[i][2] += DT * az;
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            for (int k = 0; k < 3; k++)
                position[i][k] += DT * velocity[i][k];
    }
}
