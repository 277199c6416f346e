// Critical sections in loops that keep the best of all and where it was found: in scalars, array elements and members, with and without an
// order among equals, two in one section, in a region, in nested loops, of nothing, among NaNs.
// test: -i n=700 -i x=uniform:lo=-90,hi=90,seed=1 -i k=uniform:lo=0,hi=40,seed=2
// check: exact
#include <float.h>
#include <math.h>

struct nearest {
    float distance;
    int at;
    int found;
};

static void extremes(int n, const float x[n], float most[2], int at[2]) {
    most[0] = -FLT_MAX;
    most[1] = FLT_MAX;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float v = x[i] * x[(i * 3 + 1) % n];
#pragma omp critical(high)
        {
            if (v > most[0]) {
                most[0] = v;
                at[0] = i;
            }
            if (most[1] > v) {
                at[1] = i;
                most[1] = v;
            }
        }
    }
}

static struct nearest nearest(int n, const float x[n]) {
    struct nearest best = {.distance = 1000.0f, .at = -1};
#pragma omp parallel
    {
#pragma omp for nowait schedule(dynamic)
        for (int i = 0; i < n; i++)
            for (int j = i + 1; j < n && j < i + 9; j++) {
                float d = fabsf(x[i] - x[j]);
#pragma omp critical
                if (d < best.distance) {
                    best.distance = d;
                    best.at = i * n + j;
                    best.found = 1;
                }
            }
    }
    return best;
}

// Places in one object, small integers, numbers that are none as a second key, an index that is no constant.
static void find_in_parts(int n, const float x[n], const int k[n], float most[4], int at[4]) {
    struct {
        float v[2];
        struct {
            int a[2];
        } where;
        short small;
        int of_small;
    } s = {{0.0f, 0.0f}, {{0, 0}}, -50, -1};
    float first = INFINITY, second = INFINITY;
    int place = -1, slot = n % 2;
#pragma omp parallel for num_threads(1)
    for (int i = 0; i < n; i++) {
        short v = (short)(k[i] * 3);
        float d = (float)(k[i] / 10), e = sqrtf(d - 2.0f);
#pragma omp critical
        {
            if (x[i] > s.v[0]) {
                s.v[0] = x[i];
                s.where.a[0] = i;
            }
            if (x[i] < s.v[1]) {
                s.v[1] = x[i];
                s.where.a[1] = i;
            }
            if (v > s.small) {
                s.small = v;
                s.of_small = i;
            }
        }
#pragma omp critical(b)
        if (d < first || (d == first && e < second)) {
            first = d;
            second = e;
            place = i;
        }
#pragma omp critical(c)
        if (most[2 + slot] < x[i])
            most[2 + slot] = x[i];
    }
    most[3] += s.v[0] - s.v[1];
    at[3] = s.where.a[0] * 10000 + s.where.a[1] + s.of_small * 10 + s.small + place;
}

void keep(int n, const float x[n], const int k[n], float most[4], int at[4], struct nearest near[1], int counts[6], float odd[3]) {
    extremes(n, x, most, at);
    near[0] = nearest(n, x);
    int first = 50, place = n, last = -1, step = 0; // the smallest of many equals, the last place of it
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n / 7; i++)
        for (int j = 6; j >= 0; j--)
#pragma omp critical
            if (k[i * 7 + j] < first || (k[i * 7 + j] == first && i * 7 + j > last)) {
                first = k[i * 7 + j];
                last = i * 7 + j;
                step = i;
            }
    counts[0] = first;
    counts[1] = last;
    counts[2] = step;
    for (int round = 0; round < 3; round++) { // of equals the first; what was kept before stays if nothing is better
        first = 41 - 20 * round;
#pragma omp parallel for num_threads(1)
        for (int i = n - 1; i >= 0; i -= 3)
#pragma omp critical
            if (first > k[i]) {
                first = k[i];
                place = i;
            }
        counts[3 + round] = first * 1000 + place;
    }
    float low = INFINITY, none = 3.0f, most_odd = -1.0f;
    int of_none = 7;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float root = sqrtf(x[i]); // NaN of half of them
#pragma omp critical
        if (root < low)
            low = root;
        if (k[i] % 2) {
#pragma omp critical(odd)
            most_odd = fmaxf(most_odd, x[i]);
        }
    }
#pragma omp parallel for
    for (int i = n; i < n / 2; i++)
#pragma omp critical
        if (x[i] > none) {
            none = x[i];
            of_none = i;
        }
    find_in_parts(n, x, k, most, at);
    most[2] = none;
    at[2] = of_none;
    odd[0] = low;
    odd[1] = most_odd;
    odd[2] = first;
}
