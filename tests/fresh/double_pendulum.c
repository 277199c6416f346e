// An ensemble of double pendulums from a grid of starting angles, integrated with the classical Runge-Kutta method. For each: its last
// state, how often the lower arm went through the top, and how far its energy drifted.
// run: -i side=64 -i steps=2000 -i dt=0.001
// test: -i side=8 -i steps=220 -i dt=0.01
// check: abs 2e-3
// check: passes exact
#include <math.h>

#define G 9.81f
#define PI 3.14159265f
#define DIM 4

typedef struct {
    float mass[2], length[2];
} Arms;

typedef struct {
    float theta[2], omega[2];
} State;

static const Arms arms = {.mass = {1.0f, 0.7f}, .length = {1.0f, 0.8f}};

static void derivative(const float y[DIM], float dy[DIM]) {
    const float m1 = arms.mass[0], m2 = arms.mass[1], l1 = arms.length[0], l2 = arms.length[1];
    const float delta = y[0] - y[1];
    const float s = sinf(delta), c = cosf(delta);
    const float den = 2.0f * m1 + m2 - m2 * cosf(2.0f * delta);

    dy[0] = y[2];
    dy[1] = y[3];
    dy[2] = (-G * (2.0f * m1 + m2) * sinf(y[0]) - m2 * G * sinf(y[0] - 2.0f * y[1]) -
             2.0f * s * m2 * (y[3] * y[3] * l2 + y[2] * y[2] * l1 * c)) /
            (l1 * den);
    dy[3] = 2.0f * s * (y[2] * y[2] * l1 * (m1 + m2) + G * (m1 + m2) * cosf(y[0]) + y[3] * y[3] * l2 * m2 * c) /
            (l2 * den);
}

static void rk4_step(float *y, float dt) {
    static const float at[4] = {0.0f, 0.5f, 0.5f, 1.0f};
    static const float weight[4] = {1.0f / 6, 1.0f / 3, 1.0f / 3, 1.0f / 6};
    float k[5][DIM] = {{0}};
    float next[DIM];

    for (int d = 0; d < DIM; d++)
        next[d] = y[d];
    for (int stage = 0; stage < 4; stage++) {
        float probe[DIM];
        for (int d = 0; d < DIM; d++)
            probe[d] = y[d] + dt * at[stage] * k[stage][d];
        derivative(probe, k[stage + 1]);
        for (int d = 0; d < DIM; d++)
            next[d] += dt * weight[stage] * k[stage + 1][d];
    }
    for (int d = 0; d < DIM; d++)
        y[d] = next[d];
}

static float energy(const float *y) {
    const Arms *a = &arms;
    const float v1 = a->length[0] * y[2], v2 = a->length[1] * y[3];
    const float kinetic = 0.5f * a->mass[0] * v1 * v1 +
                          0.5f * a->mass[1] * (v1 * v1 + v2 * v2 + 2 * v1 * v2 * cosf(y[0] - y[1]));
    const float height1 = -a->length[0] * cosf(y[0]), height2 = height1 - a->length[1] * cosf(y[1]);
    return kinetic + G * (a->mass[0] * height1 + a->mass[1] * height2);
}

// Odd multiples of pi are the top: which lap is this angle in?
static int lap(float angle) {
    return (int)floorf((angle + PI) / (2.0f * PI));
}

void double_pendulum(int side, int steps, float dt, State end[side][side], int passes[side * side],
                     float drift[side * side], float worst[1], int total[1]) {
    float max_drift = 0.0f;
    int count = 0;
#pragma omp parallel for collapse(2) reduction(max : max_drift) reduction(+ : count) schedule(dynamic)
    for (int row = 0; row < side; row++) {
        for (int col = 0; col < side; col++) {
            float y[DIM] = {0.3f + 2.4f * (float)row / (float)side, -2.5f + 5.0f * (float)col / (float)side};
            const float e0 = energy(y);
            int flips = 0;
            int before = lap(y[1]);
            for (int t = 0; t < steps; t++) {
                rk4_step(y, dt);
                const int now = lap(y[1]);
                if (now != before)
                    flips++;
                before = now;
            }
            State *s = &end[row][col];
            for (int arm = 0; arm < 2; arm++) {
                s->theta[arm] = y[arm];
                s->omega[arm] = y[2 + arm];
            }
            const int id = row * side + col;
            passes[id] = flips;
            drift[id] = energy(y) - e0;
            if (fabsf(drift[id]) > max_drift)
                max_drift = fabsf(drift[id]);
            count += flips;
        }
    }
    worst[0] = max_drift;
    total[0] = count;
}
