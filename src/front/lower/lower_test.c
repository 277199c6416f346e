// Expressions and control flow against the compiler that built this test (lower_testing.h).
#include "check.h"
#include "front/lower/lower_testing.h"

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

// Ends further apart than an int holds, with steps that are constants and that only the run knows: z[0 ... 3] and z[4
// ... 7] alike.
JUDGED(
    far_ends, ENTRY(far_ends) {
        int big = 1000000000 + k[0] - k[0], low = -2000000000 + k[1] - k[1];
        PARALLEL_FOR for (int i = -2000000000; i < 2000000000; i += 1000000000)
            z[i / 1000000000 + 2] = i;
        PARALLEL_FOR for (int i = low; i < -low; i += big)
            z[i / 1000000000 + 6] = i;
        PARALLEL_FOR for (int i = 2147483647; i >= -147483648; i -= 1000000000)
            z[8 + (i < 1500000000) + (i < 500000000)] = i;
        PARALLEL_FOR for (int i = 2147483647 - k[2] + k[2]; i >= -147483648; i -= big)
            z[11 + (i < 1500000000) + (i < 500000000)] = i;
        int passes = 0, none = 0;
        OMP("omp parallel for reduction(+ : passes)")
        for (unsigned i = 0; i < 4294967294u; i += 1431655765u + (unsigned)(k[3] - k[3]))
            passes += (int)(i % 11u) + 100;
        OMP("omp parallel for reduction(+ : none)")
        for (int i = -low; i < low; i += big)
            none++;
        z[14] = passes;
        z[15] = none;
        y[0] = x[0];
    })
