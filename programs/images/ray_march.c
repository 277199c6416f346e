// ray_march.c - balls in a fog of repetition: a picture by marching along rays with a distance function, with a shadow.
//
// Source: J. C. Hart, "Sphere tracing: a geometric method for the antialiased ray tracing of implicit surfaces", 1996.
//
// run: -i height=720 -i width=1280 -i frames=10
// test: -i height=18 -i width=25 -i frames=2
// check: abs 2e-2 except 3%
// dispatches: 1
#include <math.h>

struct vector {
    float x, y, z;
};

static struct vector along(struct vector from, struct vector way, float t) {
    struct vector p = {from.x + t * way.x, from.y + t * way.y, from.z + t * way.z};
    return p;
}

static float distance(struct vector p) {
    float x = p.x - 4.0f * floorf(p.x / 4.0f + 0.5f), z = p.z - 4.0f * floorf(p.z / 4.0f + 0.5f);
    float ball = sqrtf(x * x + p.y * p.y + z * z) - 1.0f, floor = p.y + 1.0f;
    return fminf(ball, floor);
}

static float march(struct vector from, struct vector way, float most) {
    float t = 0.02f;
    for (int k = 0; k < 120 && t < most; k++) {
        float d = distance(along(from, way, t));
        if (d < 0.001f * t) return t;
        t += d;
    }
    return most;
}

void ray_march(int height, int width, int frames, float light[height][width]) {
    for (int f = 0; f < frames; f++) {
        struct vector eye = {0.3f * (float)f, 1.5f, -6.0f + 0.2f * (float)f};
#pragma omp parallel for collapse(2)
        for (int i = 0; i < height; i++)
            for (int j = 0; j < width; j++) {
                struct vector way = {((float)j + 0.5f) / (float)height - 0.5f * (float)width / (float)height,
                                     0.3f - ((float)i + 0.5f) / (float)height, 1.0f};
                float length = sqrtf(way.x * way.x + way.y * way.y + 1.0f);
                way.x /= length, way.y /= length, way.z /= length;
                float t = march(eye, way, 60.0f), shade = 0.0f;
                if (t < 60.0f) {
                    struct vector at = along(eye, way, t), sun = {0.577f, 0.577f, -0.577f};
                    float e = 0.01f, here = distance(at);
                    struct vector ax = {at.x + e, at.y, at.z}, ay = {at.x, at.y + e, at.z}, az = {at.x, at.y, at.z + e};
                    float slope = ((distance(ax) - here) * sun.x + (distance(ay) - here) * sun.y +
                                   (distance(az) - here) * sun.z) / e;
                    struct vector above = {at.x + 0.05f * sun.x, at.y + 0.05f * sun.y, at.z + 0.05f * sun.z};
                    float clear = march(above, sun, 20.0f) >= 20.0f ? 1.0f : 0.2f;
                    shade = fmaxf(slope, 0.05f) * clear * expf(-0.03f * t);
                }
                light[i][j] = f == 0 ? shade : 0.7f * light[i][j] + 0.3f * shade;
            }
    }
}
