// Throws n balls, one a parallel iteration, and says how far each flies and how far they fly in the mean.
// run: -i n=100000 -i speed=uniform:lo=5,hi=30,seed=1 -i slope=uniform:lo=0.2,hi=1.4,seed=2
// test: -i n=200 -i speed=uniform:lo=5,hi=30,seed=1 -i slope=uniform:lo=0.2,hi=1.4,seed=2
// check: rel 1e-4
#include <math.h>

struct ball {
    float x, y, vx, vy;
};

static struct ball move(struct ball b, float dt) {
    float drag = 0.01f * sqrtf(b.vx * b.vx + b.vy * b.vy);
    b.x += b.vx * dt;
    b.y += b.vy * dt;
    b.vx -= drag * b.vx * dt;
    b.vy -= (9.81f + drag * b.vy) * dt;
    return b;
}

void throw_balls(int n, const float speed[n], const float slope[n], float distance[n], float mean[1]) {
    float sum = 0.0f;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++) {
        struct ball b = {0.0f, 0.0f, speed[i] * cosf(slope[i]), speed[i] * sinf(slope[i])};
        for (int step = 0; step < 400; step++)
            b = move(b, 0.01f);
        distance[i] = b.x;
        sum += b.x;
    }
    mean[0] = sum / (float)n;
}
