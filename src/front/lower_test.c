// The lowering against the compiler that built this test: each JUDGED program is compiled natively and, as text, by
// front_compile; the interpreter must leave the same bits in the same arrays.
#include "check.h"

#include <stdlib.h>

#include "front/front.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#pragma GCC diagnostic ignored "-Wimplicit-fallthrough"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-value"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

#define N 16

// In the text these are OpenMP's, here they are nothing: one thread in order.
#define PARALLEL_FOR
#define OMP(text)
static const char prologue[] =
    "#include <math.h>\n#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <string.h>\n"
    "#define PARALLEL_FOR _Pragma(\"omp parallel for\")\n"
    "#define OMP(text) _Pragma(text)\n"
    "#define N 16\n"
    "#define ENTRY(name) void name(int n, const float x[n], const int k[n], float y[n], int z[n])\n";
typedef void entry_fn(int n, const float *x, const int *k, float *y, int *z);

static struct base_cx cx;

static void fill(float *x, int *k, float *y, int *z) {
    uint32_t seed = 7;
    for (int i = 0; i < N; i++) {
        seed = seed * 1664525u + 1013904223u;
        x[i] = (float)(int)(seed >> 16) / 4096.0f - 8.0f;
        k[i] = (int)(seed >> 24) % N;
        y[i] = (float)i;
        z[i] = i * 3;
    }
}

static struct ir_unit *compile(const char *text, const struct whorl_compile_options *user) {
    base_cx_deinit(&cx);
    base_cx_init(&cx);
    if (setjmp(cx.bail)) return NULL;
    struct front_options options = {.path = "test.c", .text = text, .user = user};
    return front_compile(&cx, &options).unit;
}

static void judge(const char *name, const char *body, entry_fn *native) {
    float x[N], y[N], own_y[N];
    int k[N], z[N], own_z[N];
    fill(x, k, y, z);
    native(N, x, k, y, z);
    fill(x, k, own_y, own_z);
    size_t size = strlen(prologue) + strlen(body) + 1;
    char *text = malloc(size);
    snprintf(text, size, "%s%s", prologue, body);
    struct whorl_scalar n = {"n", N};
    struct whorl_compile_options user = WHORL_COMPILE_OPTIONS_INIT;
    user.scalars = &n;
    user.scalar_count = 1;
    struct ir_unit *u = compile(text, &user);
    free(text);
    if (!u) check_end(1, __FILE__, __LINE__, "%s: %s", name, base_render_diags(&cx));
    void *arrays[5] = {NULL, x, k, own_y, own_z};
    size_t sizes[5] = {0, sizeof x, sizeof k, sizeof own_y, sizeof own_z};
    struct ir_interp_options options = {.arrays = arrays, .size_bytes = sizes};
    struct whorl_error err = {0};
    if (ir_interpret(u, &options, &err) != WHORL_OK)
        check_end(1, __FILE__, __LINE__, "%s: %s\n%s", name, err.message, ir_print(u));
    for (int i = 0; i < N; i++) {
        if (memcmp(&y[i], &own_y[i], 4) != 0)
            check_end(1, __FILE__, __LINE__, "%s: y[%d] want %.9g, got %.9g", name, i, (double)y[i], (double)own_y[i]);
        if (z[i] != own_z[i]) check_end(1, __FILE__, __LINE__, "%s: z[%d] want %d, got %d", name, i, z[i], own_z[i]);
    }
    base_cx_deinit(&cx);
}

// The program is a list of definitions that ends with the entry function `name`.
#define JUDGED(name, ...) \
    __VA_ARGS__           \
    TEST(name) { judge(#name, #__VA_ARGS__, name); }
#define ENTRY(name) void name(int n, const float x[n], const int k[n], float y[n], int z[n])

// A pragma's text must stay one literal.
// clang-format off

// ---- expressions ----------------------------------------------------------------------------------------------------

JUDGED(
    arithmetic, ENTRY(arithmetic) {
        PARALLEL_FOR for (int i = 0; i < n; i++) {
            unsigned u = (unsigned)k[i] * 2654435761u;
            z[i] = (int)(u >> 7) ^ (k[i] << 3) ^ ~i;
            z[i] += k[i] / 3 - k[i] % 5 + (-k[i]) / 3 + (-k[i]) % 3;
            y[i] = x[i] * 2.0f - x[i] / 3.0f + -x[i] + (float)u + (float)(int)u;
        }
    })

JUDGED(
    small_types, ENTRY(small_types) {
        PARALLEL_FOR for (int i = 0; i < n; i++) {
            int8_t a = (int8_t)(k[i] * 37);
            uint8_t b = (uint8_t)(k[i] * 37);
            short c = (short)(k[i] * 9999);
            uint16_t d = (uint16_t)(k[i] * -1);
            a += 100;
            b++;
            c = (short)(c * 2);
            d -= 5;
            bool flag = k[i];
            z[i] = a + b * 3 + c * 5 + d * 7 + flag;
            flag += 5;
            y[i] = (float)flag + (float)b;
        }
    })

JUDGED(
    decisions, ENTRY(decisions) {
        PARALLEL_FOR for (int i = 0; i < n; i++) {
            int a = k[i] > 3 && x[i] > 0.0f, b = k[i] < 2 || !(x[i] < 1.0f);
            z[i] = a + 2 * b + (a == b) * 4 + (a ? b ? 8 : 16 : 32) + !k[i];
            y[i] = x[i] > 0.0f ? x[i] : a ? -x[i] : 0.5f;
        }
    })

JUDGED(
    effects, ENTRY(effects) {
        PARALLEL_FOR for (int i = 0; i < n; i++) {
            int a = 0, b = 1, c;
            a++ || b++;
            a-- &&b++;
            c = (a = 3, b += a, a * b);
            int d = k[i] > 4 ? a++ : (b -= 2);
            int e = (a += 5) + d;
            z[i] = a + b * 10 + c * 100 + d * 1000 + e;
            int at = i;
            y[at] = x[at];
            y[at] += (a = b) > 2 ? 1.0f : 2.0f;
            z[i] += ++a * b--;
            z[i] *= 2;
            z[i] ^= a % 3;
            unsigned u = 5;
            u -= 7;
            u /= 3;
            z[i] += (int)u;
            a = b = c = 4;
            z[i] += a + b + c;
        }
    })

// ---- control flow ---------------------------------------------------------------------------------------------------

JUDGED(
    early_returns,
    static int classify(float v, int limit) {
        if (v < -4.0f) return -1;
        if (v < 0.0f) {
            if (limit > 8) return 7;
            limit += 2;
        }
        for (int j = 0; j < limit; j++) {
            if (j * j > 30) return j;
            for (int m = 0; m < 3; m++)
                if (m * j == 8) return 100 + m;
        }
        while (limit-- > 0)
            if (limit == 5) return 50;
        return limit;
    } static void set(float *to, float v) {
        if (v > 3.0f) {
            *to = 3.0f;
            return;
        }
        *to = v;
        if (v > 0.0f) return;
        *to -= 1.0f;
    } ENTRY(early_returns) {
        PARALLEL_FOR for (int i = 0; i < n; i++) {
            z[i] = classify(x[i], k[i]) + classify(-x[i], 3) * 1000;
            set(&y[i], x[i]);
        }
    })

JUDGED(
    jumps, ENTRY(jumps) {
        PARALLEL_FOR for (int i = 0; i < n; i++) {
            int sum = 0;
            if (k[i] == 3) continue;
            for (int j = 0; j < 10; j++) {
                if (j == k[i]) continue;
                if (j > 8) break;
                for (int m = 0;; m++) {
                    if (m == 4) break;
                    if (m == j) continue;
                    sum += m * j;
                }
            }
            int w = 12;
            do {
                w -= 3;
                if (w == 6) continue;
                sum += w;
            } while (w > k[i]);
            while (1) {
                if (sum++ > 40) break;
            }
            do {
                if (k[i] > 5) break;
                sum += 1000;
            } while (0);
            z[i] = sum;
            if (x[i] > 0.0f) {
                if (k[i] > 7) continue;
                y[i] = 1.0f;
            }
            y[i] += 2.0f;
        }
    })

JUDGED(
    switches,
    static int weekday(int d) {
        switch (d) {
        case 0: return 70;
        case 1:
        case 2: return 71;
        default: break;
        }
        return 72;
    } ENTRY(switches) {
        PARALLEL_FOR for (int i = 0; i < n; i++) {
            int r = 0;
            switch (k[i] % 8) {
            case 1: r = 10; break;
            case 2: r = 20;
            case 3: r += 3;
            default: r += 100; break;
            case 5:
                if (x[i] > 0.0f) break;
                r = 55;
            case 6: r++;
            }
            for (int j = 0; j < 4; j++) {
                switch (j) {
                case 0: continue;
                case 2: r += 7; break;
                case 3:
                    if (r > 100) continue;
                    r += 9;
                }
                r++;
            }
            z[i] = r + weekday(k[i]);
        }
    })

JUDGED(
    loop_forms, ENTRY(loop_forms) {
        PARALLEL_FOR for (int i = 0; i < n; i++) {
            int t, sum = 0, u;
            for (t = 3; t < k[i]; t += 2)
                sum += t;
            sum += t * 100;
            for (u = 10; u >= 0; --u)
                sum ^= u;
            for (unsigned a = 5; a-- > 0;)
                sum += (int)a * 3;
            for (int a = 0, b = 9; a < b; a++, b--)
                sum += a * b;
            for (size_t s = 0; s < (size_t)n; s++)
                sum += (int)s;
            for (uint8_t s = 250; s != 4; s++)
                sum += s;
            for (int a = 0; a != 6; a++)
                sum += a;
            int limit = 5;
            for (int a = 0; a < limit; a++)
                if (a == 3)
                    limit = 4;
                else
                    sum += 11;
            for (int a = 20; a > k[i]; a -= 3) {
                sum -= a;
                if (sum < -50) break;
            }
            for (t = 0; t < 9; t++)
                if (t == k[i]) break;
            z[i] = sum + t;
        }
    })

// ---- functions, structs, pointers -----------------------------------------------------------------------------------

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

// ---- entry level ----------------------------------------------------------------------------------------------------

JUDGED(
    step_form,
    static void relax(int n, const float *from, float *to) {
        PARALLEL_FOR for (int i = 0; i < n; i++) to[i] = 0.5f * from[i] + 0.25f * from[(i + 1) % n];
    } ENTRY(step_form) {
        float a[n], b[n];
        float *now = a, *then = b;
        PARALLEL_FOR for (int i = 0; i < n; i++) a[i] = x[i];
        for (int t = 0; t < 5; t++) {
            relax(n, now, then);
            float *s = now;
            now = then;
            then = s;
        }
        PARALLEL_FOR for (int i = 0; i < n; i++) y[i] = now[i];
        int m[2][3] = {{1}};
        m[1][2] = 5;
        z[0] = m[0][0] + m[1][2] + m[0][1];
    })

JUDGED(
    reductions, ENTRY(reductions) {
        float sum = 1.0f, least = 100.0f, most = -100.0f;
        int bits = 0, all = 1, any = 0, count = 5;
        unsigned x3 = 7;
        OMP("omp parallel for reduction(+ : sum, count) reduction(min : least) reduction(max : most) reduction(| : bits)")
    for (int i = 0; i < n; i++) {
            sum += (float)k[i];
            count -= k[i];
            least = fminf(least, x[i]);
            if (x[i] > most) most = x[i];
            bits |= 1 << k[i];
        }
        OMP("omp parallel for reduction(&& : all) reduction(|| : any) reduction(^ : x3)")
        for (int i = 0; i < n; i++) {
            all = all && k[i] < N;
            any = any || k[i] == 99;
            x3 ^= (unsigned)k[i];
        }
        PARALLEL_FOR for (int i = 0; i < n; i++) {
            y[i] = sum + least * most;
            z[i] = bits + all * 3 + any * 7 + count + (int)x3;
        }
    })

JUDGED(
    regions, ENTRY(regions) {
        float scale = 2.0f, tmp;
        int last = -1;
        OMP("omp parallel private(tmp)") {
            float mine[2];
            int steps = 3;
            for (int t = 0; t < steps; t++) {
                OMP("omp for")
                for (int i = 0; i < n; i++) {
                    tmp = x[i] * scale;
                    mine[0] = tmp + 1.0f;
                    mine[1] = tmp * tmp;
                    y[i] += mine[0] + mine[1];
                }
                OMP("omp barrier")
                OMP("omp single") {
                    scale *= 0.5f;
                    z[1] = t;
                }
            }
            OMP("omp master")
            z[2] = 77;
        }
        OMP("omp parallel for lastprivate(last) firstprivate(scale)")
        for (int i = 0; i < n; i++) {
            scale += (float)i;
            y[i] += scale - (float)i * 0.5f;
            scale -= (float)i;
            last = k[i];
        }
        z[3] = last;
    })

JUDGED(
    collapsed, ENTRY(collapsed) {
        int grid[N][N];
        OMP("omp parallel for collapse(2)")
        for (int i = 0; i < N; i++)
            for (int j = N - 1; j >= 0; j -= 1)
                grid[i][j] = i * 31 ^ j;
        PARALLEL_FOR for (int i = n - 1; i > 0; i -= 3) {
            int sum = 0;
            OMP("omp simd reduction(+ : sum)")
            for (int j = 0; j <= i; j++)
                sum += grid[i][j];
            z[i] = sum;
        }
        int r;
        OMP("omp parallel for")
        for (r = 0; r < n; r += 2)
            y[r] = (float)grid[r][1];
    })

JUDGED(
    globals, static float state[4] = {1.0f, 2.0f}; static int ticks; static float bump(void) {
        static int calls = 10;
        calls++;
        ticks += 2;
        return (float)calls;
    } ENTRY(globals) {
        state[2] = bump() + bump();
        PARALLEL_FOR for (int i = 0; i < n; i++) {
            y[i] = state[i % 4];
            z[i] = ticks;
        }
        state[0] = 1.0f;
        state[1] = 2.0f;
    })

JUDGED(
    guards, ENTRY(guards) {
        if (n < 4) return;
        int mode = n > 8 ? 2 : 1;
        if (mode == 2) {
            PARALLEL_FOR for (int i = 0; i < n; i++) y[i] = 2.0f;
        } else {
            PARALLEL_FOR for (int i = 0; i < n; i++) y[i] = 1.0f;
        }
        for (int t = 0; t < 3; t++) {
            if (t == 1) {
                PARALLEL_FOR for (int i = 0; i < n; i++) z[i] += t;
                continue;
            }
            PARALLEL_FOR for (int i = t; i < n; i++) z[i] *= 2;
        }
    })
