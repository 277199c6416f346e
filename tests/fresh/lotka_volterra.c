// An ensemble of predators and prey: for each pair of birth and hunting rates, the population after some years and its peaks.
// run: -i n=65536 -i steps=2000 -i birth=uniform:lo=0.5,hi=1.5,seed=1 -i hunt=uniform:lo=0.5,hi=1.5,seed=2
// test: -i n=96 -i steps=300 -i birth=uniform:lo=0.5,hi=1.5,seed=1 -i hunt=uniform:lo=0.5,hi=1.5,seed=2
// check: rel 1e-3
#include <math.h>

typedef struct {
    float prey, hunters;
} state;

static state slope(state s, float birth, float hunt) {
    state d = {birth * s.prey - hunt * s.prey * s.hunters, 0.8 * hunt * s.prey * s.hunters - 0.6 * s.hunters};
    return d;
}

static state along(state s, state d, float dt) {
    return (state){s.prey + dt * d.prey, s.hunters + dt * d.hunters};
}

void ensemble(int n, int steps, const float birth[n], const float hunt[n], state last[n], float peak[n][2]) {
    const float dt = 0.02f;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        state s = {1.0f, 0.5f};
        float most[2] = {s.prey, s.hunters};
        for (int t = 0; t < steps; t++) {
            state k1 = slope(s, birth[i], hunt[i]);
            state k2 = slope(along(s, k1, dt / 2), birth[i], hunt[i]);
            state k3 = slope(along(s, k2, dt / 2), birth[i], hunt[i]);
            state k4 = slope(along(s, k3, dt), birth[i], hunt[i]);
            s.prey += dt / 6 * (k1.prey + 2 * k2.prey + 2 * k3.prey + k4.prey);
            s.hunters += dt / 6 * (k1.hunters + 2 * k2.hunters + 2 * k3.hunters + k4.hunters);
            most[0] = fmaxf(most[0], s.prey);
            most[1] = fmaxf(most[1], s.hunters);
        }
        last[i] = s;
        for (int k = 0; k < 2; k++)
            peak[i][k] = most[k];
    }
}
