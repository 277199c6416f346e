// mountaincar.h - Gym's MountainCar-v0: an engine too weak for the hill must first swing back.
//
// Source: A. Moore, PhD thesis, Cambridge 1990; constants of Gym's mountain_car.py. Position -1.2 .. 0.6, speed -0.07
// .. 0.07, the goal is a position of 0.5 or more; actions are push left (-1), none (0), push right (1).
#ifndef MOUNTAINCAR_H
#define MOUNTAINCAR_H

#include <math.h>

#include "philox.h"

struct car {
    float x, dx;
};

// At rest, at a place drawn by `seed` from Gym's range -0.6 .. -0.4.
static inline struct car car_start(uint32_t seed) {
    struct car c = {-0.6f + 0.2f * philox_uniform01(philox4x32(0, 0, 0, 0, seed, 0).x), 0.0f};
    return c;
}

static inline struct car car_advance(struct car c, float push) {
    c.dx += 0.001f * push - 0.0025f * cosf(3.0f * c.x);
    c.dx = fminf(fmaxf(c.dx, -0.07f), 0.07f);
    c.x += c.dx;
    c.x = fminf(fmaxf(c.x, -1.2f), 0.6f);
    if (c.x <= -1.2f && c.dx < 0.0f) c.dx = 0.0f; // the wall on the left
    return c;
}

static inline int car_arrived(struct car c) { return c.x >= 0.5f; }

#endif
