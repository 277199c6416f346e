// acrobot_swing.c - one policy swings up the Acrobot from many starts: what programs/evolve/ga_acrobot.c bred, replayed
// to be looked at and counted.
//
// Arm 0 starts where policies are bred; the others where Gym's Acrobot-v1 starts: both angles and both speeds uniform
// in -0.1 .. 0.1, here drawn by Philox. After each step, height is the tip's over the fixed point, and links says where
// the joint and the tip are: x and y of either, seen from the fixed point. up is the number of steps until the tip is
// one link above the fixed point (steps if never): Gym ends an episode there, and counts the Acrobot as solved if that
// takes less than 100 steps on average.
//
// Two correct compilers part after some 100 steps (acrobot.c), so the test is no longer than that.
//
// run: -i arms=1000 -i steps=500 -i seed=1 -i policy=uniform:lo=-1,hi=1,seed=1
// test: -i arms=64 -i steps=100 -i seed=1 -i policy=uniform:lo=-1,hi=1,seed=40
// check: up exact
// check: height abs 1e-2
// check: links abs 1e-2
// dispatches: 1
#include "../lib/acrobot_policy.h"
#include "../lib/philox.h"

static struct acrobot start(int arm, uint32_t seed) {
    if (arm == 0) return acrobot_start();
    struct philox r = philox4x32((uint32_t)arm, 0, 0, 0, seed, 0);
    struct acrobot s = {0.2f * philox_uniform01(r.x) - 0.1f, 0.2f * philox_uniform01(r.y) - 0.1f,
                        0.2f * philox_uniform01(r.z) - 0.1f, 0.2f * philox_uniform01(r.w) - 0.1f};
    return s;
}

void acrobot_swing(int arms, int steps, uint32_t seed, const float policy[ACROBOT_WEIGHTS], float height[arms][steps],
                   float links[arms][steps][4], int up[arms]) {
#pragma omp parallel for
    for (int i = 0; i < arms; i++) {
        struct acrobot s = start(i, seed);
        int reached = steps;
        for (int t = 0; t < steps; t++) {
            s = acrobot_advance(s, acrobot_choose(policy, s));
            float now = acrobot_height(s);
            height[i][t] = now;
            links[i][t][0] = sinf(s.a);
            links[i][t][1] = -cosf(s.a);
            links[i][t][2] = sinf(s.a) + sinf(s.a + s.b);
            links[i][t][3] = now;
            if (now > 1.0f && t < reached) reached = t + 1;
        }
        up[i] = reached;
    }
}
