// acrobot.h - the physics of Gym's Acrobot-v1: two links hanging from a fixed point, a motor at the joint between them.
//
// Source: R. Sutton, "Generalization in reinforcement learning", NIPS 1995; equations of motion of Sutton and Barto's
// book, as in Gym's acrobot.py. Lengths and masses 1 (m, kg), centres of mass at 0.5, moments of inertia 1, g = 9.8, dt
// = 0.2 s, one classical Runge-Kutta step of order 4. Gym's cos(x - pi/2) is written sin(x).
#ifndef ACROBOT_H
#define ACROBOT_H

#include <math.h>

#define ACROBOT_PI 3.14159265358979323846f
#define ACROBOT_DT 0.2f
#define ACROBOT_GRAVITY 9.8f

// Policy 6-16-3: W1[16][6], b1[16], W2[3][16], b2[3].
enum {
    ACROBOT_INPUTS = 6,
    ACROBOT_HIDDEN = 16,
    ACROBOT_ACTIONS = 3,
    ACROBOT_B1 = ACROBOT_HIDDEN * ACROBOT_INPUTS,
    ACROBOT_W2 = ACROBOT_B1 + ACROBOT_HIDDEN,
    ACROBOT_B2 = ACROBOT_W2 + ACROBOT_ACTIONS * ACROBOT_HIDDEN,
    ACROBOT_WEIGHTS = ACROBOT_B2 + ACROBOT_ACTIONS
};

// a: angle of the first link from hanging down, b: of the second from the first (rad); da, db: their speeds (rad/s).
struct acrobot {
    float a, b, da, db;
};

static inline struct acrobot acrobot_start(void) {
    struct acrobot s = {0.05f, -0.03f, 0.02f, 0.01f};
    return s;
}

// The time derivative of the state under a torque at the joint.
static inline struct acrobot acrobot_slope(struct acrobot s, float torque) {
    float sin_b = sinf(s.b), cos_b = cosf(s.b);
    float d1 = 3.5f + cos_b; // m lc1^2 + m (l1^2 + lc2^2 + 2 l1 lc2 cos b) + I1 + I2 = 0.25 + 1.25 + cos b + 2
    float d2 = 1.25f + 0.5f * cos_b;
    float phi2 = 0.5f * ACROBOT_GRAVITY * sinf(s.a + s.b);
    float phi1 = -0.5f * s.db * s.db * sin_b - s.db * s.da * sin_b + 1.5f * ACROBOT_GRAVITY * sinf(s.a) + phi2;
    float ddb = (torque + d2 / d1 * phi1 - 0.5f * s.da * s.da * sin_b - phi2) / (1.25f - d2 * d2 / d1);
    struct acrobot slope = {s.da, s.db, -(d2 * ddb + phi1) / d1, ddb};
    return slope;
}

// s + h * slope
static inline struct acrobot acrobot_move(struct acrobot s, float h, struct acrobot slope) {
    struct acrobot moved = {s.a + h * slope.a, s.b + h * slope.b, s.da + h * slope.da, s.db + h * slope.db};
    return moved;
}

// The Runge-Kutta average of the four slopes.
static inline struct acrobot acrobot_average(struct acrobot k1, struct acrobot k2, struct acrobot k3,
                                             struct acrobot k4) {
    struct acrobot k;
    k.a = (k1.a + 2.0f * k2.a + 2.0f * k3.a + k4.a) / 6.0f;
    k.b = (k1.b + 2.0f * k2.b + 2.0f * k3.b + k4.b) / 6.0f;
    k.da = (k1.da + 2.0f * k2.da + 2.0f * k3.da + k4.da) / 6.0f;
    k.db = (k1.db + 2.0f * k2.db + 2.0f * k3.db + k4.db) / 6.0f;
    return k;
}

// Back into -pi .. pi. Speeds are clipped, so that a step turns a link by little more than one turn: once is enough.
static inline float acrobot_wrap(float angle) {
    if (angle > ACROBOT_PI) return angle - 2.0f * ACROBOT_PI;
    if (angle < -ACROBOT_PI) return angle + 2.0f * ACROBOT_PI;
    return angle;
}

static inline float acrobot_clip(float speed, float limit) { return fminf(fmaxf(speed, -limit), limit); }

// Height of the tip over the fixed point, -2 to 2.
static inline float acrobot_height(struct acrobot s) { return -cosf(s.a) - cosf(s.a + s.b); }

// 1 when the tip is one link above the fixed point, a small cost otherwise.
static inline float acrobot_reward(float height) { return height > 1.0f ? 1.0f : -0.001f; }

#endif
