// A picture of signed distances, marched ray by ray: a ring, a rounded box and a floor with a soft shadow. Each ray takes as many steps
// as its distances need.
// run: -i width=320 -i height=200
// test: -i width=20 -i height=12
// check: rel 1e-3
// check: image abs 0.02
// check: steps rank>=0.98
// check: mean_luma abs 0.005
#include <math.h>
#include <stdbool.h>

#define MAX_STEPS 96
#define FAR_AWAY 20.0f

typedef struct vec3 {
    float x, y, z;
} vec3;

typedef struct {
    float distance;
    enum material { FLOOR, RING, BOX } material;
} sample;

static inline vec3 v3(float x, float y, float z) { return (vec3){x, y, z}; }
static inline vec3 add(vec3 a, vec3 b) { return v3(a.x + b.x, a.y + b.y, a.z + b.z); }
static inline vec3 sub(vec3 a, vec3 b) { return v3(a.x - b.x, a.y - b.y, a.z - b.z); }
static inline vec3 scale(vec3 a, float s) { return v3(a.x * s, a.y * s, a.z * s); }
static inline float dot(vec3 a, vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline vec3 cross(vec3 a, vec3 b) {
    return v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static inline vec3 normalize(vec3 a) { return scale(a, 1.0f / sqrtf(dot(a, a))); }

static sample scene(vec3 p) {
    sample s = {p.y + 1.0f, FLOOR};
    const vec3 q = sub(p, v3(-0.9f, 0.0f, 0.2f));
    const float ring = hypotf(hypotf(q.x, q.y) - 0.8f, q.z) - 0.25f;
    if (ring < s.distance)
        s = (sample){ring, RING};
    const vec3 r = sub(p, v3(1.2f, -0.3f, 0.0f));
    const vec3 d = {fabsf(r.x) - 0.5f, fabsf(r.y) - 0.6f, fabsf(r.z) - 0.5f};
    const vec3 outside = {fmaxf(d.x, 0), fmaxf(d.y, 0), fmaxf(d.z, 0)};
    const float box = sqrtf(dot(outside, outside)) + fminf(fmaxf(d.x, fmaxf(d.y, d.z)), 0.0f) - 0.1f;
    return box < s.distance ? (sample){box, BOX} : s;
}

static vec3 gradient(vec3 p) {
    const float h = 1e-2f;
    return normalize(v3(scene(add(p, v3(h, 0, 0))).distance - scene(sub(p, v3(h, 0, 0))).distance,
                        scene(add(p, v3(0, h, 0))).distance - scene(sub(p, v3(0, h, 0))).distance,
                        scene(add(p, v3(0, 0, h))).distance - scene(sub(p, v3(0, 0, h))).distance));
}

static bool march(vec3 from, vec3 ray, float *travelled, sample *last, int *steps) {
    float t = 0.02f;
    for (*steps = 0; *steps < MAX_STEPS && t < FAR_AWAY; ++*steps) {
        *last = scene(add(from, scale(ray, t)));
        if (last->distance < 1e-3f * t) {
            *travelled = t;
            return true;
        }
        t += last->distance;
    }
    *travelled = FAR_AWAY;
    return false;
}

static float shadow(vec3 from, vec3 light) {
    float lit = 1.0f, t = 0.1f;
    while (t < 6.0f && lit > 0.0f) {
        const float d = scene(add(from, scale(light, t))).distance;
        lit = fminf(lit, 4.0f * d / t);
        t += fmaxf(d, 0.05f);
    }
    return fmaxf(lit, 0.0f);
}

void render(int width, int height, float image[height][width][3], int steps[height][width], float mean_luma[1]) {
    static const vec3 colours[] = {
        [FLOOR] = {0.5f, 0.5f, 0.55f}, [RING] = {0.9f, 0.4f, 0.2f}, [BOX] = {0.2f, 0.5f, 0.9f}};
    const vec3 eye = v3(0.5f, 1.5f, -5.0f), target = {0, -0.2f, 0};
    const vec3 forward = normalize(sub(target, eye));
    const vec3 right = normalize(cross(v3(0, 1, 0), forward)), up = cross(forward, right);
    const vec3 light = normalize(v3(0.6f, 0.9f, -0.5f));
    float luma = 0.0f;

#pragma omp parallel for collapse(2) reduction(+ : luma)
    for (int py = 0; py < height; py++)
        for (int px = 0; px < width; px++) {
            const float u = (2.0f * (px + 0.5f) - width) / height, v = (height - 2.0f * (py + 0.5f)) / height;
            const vec3 ray = normalize(add(scale(forward, 1.8f), add(scale(right, u), scale(up, v))));
            vec3 colour = {0.6f + 0.2f * ray.y, 0.7f + 0.2f * ray.y, 0.9f};
            float t;
            sample s;
            if (march(eye, ray, &t, &s, &steps[py][px])) {
                const vec3 p = add(eye, scale(ray, t)), normal = gradient(p);
                float bright = 0.15f;
                if (dot(normal, light) > 0)
                    bright += 0.85f * dot(normal, light) * shadow(add(p, scale(normal, 0.02f)), light);
                colour = scale(colours[s.material], bright);
            }
            float *pixel = image[py][px];
            pixel[0] = colour.x, pixel[1] = colour.y, pixel[2] = colour.z;
            luma += 0.2126f * pixel[0] + 0.7152f * pixel[1] + 0.0722f * pixel[2];
        }
    mean_luma[0] = luma / (width * height);
}
