// Functions, structs, pointers and tables against the compiler that built this test (lower_testing.h).
#include "check.h"
#include "front/lower/lower_testing.h"

// A pragma's text must stay one literal.
// clang-format off

JUDGED(
    calls,
    static unsigned next(unsigned *state) {
        *state = *state * 1664525u + 1013904223u;
        return *state >> 8;
    } static float mean(const float *v, int count) {
        float sum = 0.0f;
        for (int j = 0; j < count; j++)
            sum += v[j];
        return sum / (float)count;
    } static int twice(int v) {
        v *= 2;
        return v;
    } ENTRY(calls) {
        PARALLEL_FOR for (int i = 0; i < n; i++) {
            unsigned s = (unsigned)k[i];
            unsigned first = next(&s), second = next(&s);
            z[i] = (int)(first ^ second) + twice(twice(k[i])) + twice(3) * twice(i);
            float v[4];
            for (int j = 0; j < 4; j++)
                v[j] = x[(i + j) % n];
            y[i] = mean(v, 4) + mean(v + 1, 2) + mean(&v[2], 2);
        }
    })

JUDGED(
    structs, struct vec { float a, b; }; struct body {
        struct vec at, speed;
        int hits;
        float trail[3];
    };
    static struct vec add(struct vec p, struct vec q) {
        struct vec r = {p.a + q.a, p.b + q.b};
        return r;
    } static struct body move(struct body b, float dt) {
        b.at = add(b.at, (struct vec){b.speed.a * dt, b.speed.b * dt});
        b.hits++;
        for (int j = 0; j < 3; j++)
            b.trail[j] += b.at.a;
        return b;
    } static void flip(struct body *b) {
        struct vec t = b->at;
        b->at = b->speed;
        b->speed = t;
        b->at = (struct vec){b->at.b, b->at.a};
    } ENTRY(structs) {
        PARALLEL_FOR for (int i = 0; i < n; i++) {
            struct body all[2] = {{.at = {1.0f, 2.0f}, .trail = {[1] = 4.0f}}, {.hits = 3}};
            all[1].speed.b = x[i];
            all[0].speed = add(all[0].at, all[1].speed);
            for (int t = 0; t < 3; t++)
                all[t % 2] = move(all[t % 2], 0.5f);
            flip(&all[0]);
            struct body copy = k[i] > 5 ? all[0] : all[1];
            struct body *p = &all[k[i] & 1];
            p->hits += 10;
            y[i] = copy.at.a + 3.0f * copy.at.b + copy.trail[2] + all[0].trail[1] + p->speed.a;
            z[i] = all[0].hits + 100 * all[1].hits + copy.hits * 10000;
        }
    })

JUDGED(
    pointers,
    static void swap(float *a, float *b) {
        float t = *a;
        *a = *b;
        *b = t;
    } ENTRY(pointers) {
        PARALLEL_FOR for (int i = 0; i < n; i++) {
            float u[4] = {1.0f, 2.0f, 3.0f, x[i]}, w[4] = {5.0f}, one = 9.0f;
            float *p = u, *q = w;
            for (int t = 0; t < 3; t++) {
                float *r = p;
                p = q;
                q = r;
                p[t] += q[t] + 1.0f;
                *q++ = 0.25f;
                q--;
            }
            swap(&u[1], &u[3]);
            swap(&one, p + 2);
            const float *e = x[i] > 0.0f ? &u[3] : &w[2];
            float sum = 0.0f;
            for (const float *s = u; s < u + 4; s++)
                sum = sum * 2.0f + *s;
            for (const float *s = w; s != &w[4]; ++s)
                sum = sum * 2.0f + *s;
            float *last = NULL;
            for (int j = 0; j < 4; j++)
                if (u[j] > 1.5f) last = &u[j];
            if (last) sum += (float)(last - u) * *last;
            y[i] = sum + *e + one;
            z[i] = (p == u) + 2 * (q == w) + 4 * (int)(e - (x[i] > 0.0f ? u : w));
        }
    })

JUDGED(
    rows,
    static float trace(float (*m)[4], int count) {
        float sum = 0.0f;
        for (int j = 0; j < count; j++)
            sum += m[j][j];
        return sum;
    } static float total(const float *m, int count) {
        float sum = 0.0f;
        for (int j = 0; j < count; j++)
            sum = sum * 0.5f + m[j];
        return sum;
    } ENTRY(rows) {
        PARALLEL_FOR for (int i = 0; i < n; i++) {
            float m[4][4];
            for (int a = 0; a < 4; a++)
                for (int b = 0; b < 4; b++)
                    m[a][b] = x[(i + a * 4 + b) % n];
            float *row = m[k[i] % 4];
            row[1] = 2.0f;
            row++;
            *row += 1.0f;
            y[i] = trace(m, 4) + total(&m[0][0], 16) + total(m[2], 4);
            float flat[2][3][2] = {{{1.0f, 2.0f}, {3.0f}}, {{[1] = 4.0f}}};
            float *f = (float *)flat;
            for (int a = 0; a < 12; a++)
                y[i] += f[a] * (float)a;
            memset(m, 0, sizeof m);
            memcpy(m[1], &x[2], 4 * sizeof(float));
            y[i] += total(&m[0][0], 16);
            z[i] = 1;
        }
    })

JUDGED(
    tables, static const int primes[6] = {2, 3, 5, 7, 11, 13}; static const struct {
        float w;
        int id[2];
    } rules[3] = {{0.5f, {1, 2}}, {1.5f, {3}}, {-2.0f, {4, 5}}};
    enum {SCALE = 3}; static const float half = 0.5f; ENTRY(tables) {
        const float local[4] = {1.0f, -2.0f, 4.0f, 8.0f};
        PARALLEL_FOR for (int i = 0; i < n; i++) {
            static const short deltas[] = {-1, 0, 1};
            z[i] = primes[k[i] % 6] * SCALE + rules[k[i] % 3].id[i % 2] + deltas[i % 3];
            y[i] = rules[i % 3].w * half + local[k[i] & 3];
        }
    })

JUDGED(
    wide, ENTRY(wide) {
        PARALLEL_FOR for (int i = 0; i < n; i++) {
            size_t at = (size_t)i * 1u;
            long long offset = (long long)i - 3;
            uint32_t high = (uint32_t)(((uint64_t)(unsigned)k[i] * 0xCD9E8D57u) >> 32);
            uint32_t low = (uint32_t)((uint64_t)0xD2511F53u * (unsigned)k[i]);
            z[at] = (int)(high ^ low) + (int)offset + (int)(sizeof(float) * (size_t)i);
            y[(size_t)i] = x[((size_t)i * 7u + 3u) % (size_t)n];
        }
    })
