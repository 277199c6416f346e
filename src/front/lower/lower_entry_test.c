// Entry level, parallel loops among it, against the compiler that built this test (lower_testing.h).
#include "check.h"
#include "front/lower/lower_testing.h"

// A pragma's text must stay one literal.
// clang-format off

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
        OMP("omp parallel for reduction(+: sum, count) reduction(min: least) reduction(max : most) reduction(| : bits)")
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
