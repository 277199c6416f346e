// `declare reduction`: of structs and numbers, with and without an initialiser, by expressions and by calls, one name for several types, in a
// function, in a region.
// test: -i n=777 -i x=uniform:lo=-9,hi=9,seed=1 -i k=uniform:lo=-50,hi=50,seed=2
// check: near 1e-5
#include <math.h>
#include <stdint.h>

struct moments {
    float count, mean, squares;
};
struct range {
    int least, most;
    struct {
        int sum;
        uint8_t low;
    } of;
};
typedef struct complex {
    float re, im;
} complex_number;

static complex_number times(complex_number a, complex_number b) {
    return (complex_number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
static struct moments join(struct moments a, struct moments b) {
    float count = a.count + b.count, by = b.mean - a.mean, share = count > 0.0f ? b.count / count : 0.0f;
    struct moments m = {count, a.mean + by * share, a.squares + b.squares + by * by * a.count * share};
    return m;
}
static void take(struct range *to, const struct range *from) {
    to->least = from->least < to->least ? from->least : to->least;
    to->most = from->most > to->most ? from->most : to->most;
    to->of.sum += from->of.sum;
    to->of.low ^= from->of.low;
}
static void empty(struct range *r, const struct range *like) {
    *r = *like;
    r->least = 1000;
    r->most = -1000;
    r->of.sum = r->of.low = 0;
}

#pragma omp declare reduction(moments : struct moments : omp_out = join(omp_out, omp_in))
#pragma omp declare reduction(widen : struct range : take(&omp_out, &omp_in)) initializer(empty(&omp_priv, &omp_orig))
#pragma omp declare reduction(product : complex_number : omp_out = times(omp_out, omp_in)) \
    initializer(omp_priv = {1.0f, 0.0f})
#pragma omp declare reduction(min : struct range : omp_out.least = omp_in.least < omp_out.least ? omp_in.least : omp_out.least)
#pragma omp declare reduction(reduce : int : omp_out += omp_in) // the entry's name, and no function's
#pragma omp declare reduction(furthest : int, unsigned, float : \
    omp_out = omp_in * omp_in > omp_out * omp_out || (omp_in * omp_in == omp_out * omp_out && omp_in > omp_out) ? omp_in : omp_out)

static float far(int n, const float x[n], const int k[n], unsigned out[2]) {
    float f = 0.0f;
    int i_far = 0;
    unsigned u = 3;
#pragma omp parallel for reduction(furthest : f, i_far) reduction(furthest : u) reduction(+ : out[1 : 1])
    for (int i = 0; i < n; i++) {
        f = x[i] * x[i] > f * f ? x[i] : f;
        int here = k[i];
        if (here * here > i_far * i_far || (here * here == i_far * i_far && here > i_far))
            i_far = here;
        u = (unsigned)(k[i] + 50) > u ? (unsigned)(k[i] + 50) : u;
        out[1] += 1;
    }
    out[0] = u + 1000u * (unsigned)(i_far + 50);
    return f;
}

void reduce(int n, const float x[n], const int k[n], float out[9], int bounds[4], unsigned more[2]) {
    struct moments all = {0.0f, 0.0f, 0.0f};
    struct range r = {7, 8, {9, 10}};
    complex_number turn = {2.0f, 1.0f};
#pragma omp parallel
    {
#pragma omp for reduction(moments : all) reduction(widen : r)
        for (int i = 0; i < n; i++) {
            all = join(all, (struct moments){1.0f, x[i], 0.0f});
            struct range one = {k[i], k[i], {k[i], (uint8_t)k[i]}};
            take(&r, &one);
        }
#pragma omp for collapse(2) reduction(product : turn)
        for (int i = 0; i < n / 10; i++)
            for (int j = 0; j < 10; j++) {
                float a = x[i * 10 + j] * 0.1f;
                turn = (complex_number){turn.re * cosf(a) - turn.im * sinf(a), turn.re * sinf(a) + turn.im * cosf(a)};
            }
    }
    float local = 1.0f;
#pragma omp declare reduction(local_sum : float : omp_out += omp_in) initializer(omp_priv = 0)
#pragma omp parallel for reduction(local_sum : local)
    for (int i = 0; i < n; i++)
        local += x[i] > 0.0f ? 0.25f : 0.5f;
    struct range widest = {0, 0, {0, 0}};
    {
#pragma omp declare reduction(local_sum : float : omp_out = omp_in > omp_out ? omp_in : omp_out)
#pragma omp parallel for reduction(local_sum : local) reduction(min : widest) // the inner one, and one of a name that is taken
        for (int i = 0; i < n; i++) {
            local = x[i] * 40.0f > local ? x[i] * 40.0f : local;
            widest.least = k[i] < widest.least ? k[i] : widest.least;
        }
    }
    int low = 5;
#pragma omp parallel for reduction(local_sum : local) reduction(min : low)
    for (int i = 0; i < n; i++) {
        local += 0.125f;
        low = k[i] < low ? k[i] : low;
    }
    out[7] = local + (float)(widest.least + low);
    out[0] = all.count;
    out[1] = all.mean;
    out[2] = all.squares / all.count;
    out[3] = turn.re;
    out[4] = turn.im;
    out[5] = local;
    out[6] = far(n, x, k, more);
    bounds[0] = r.least;
    bounds[1] = r.most;
    bounds[2] = r.of.sum;
    bounds[3] = r.of.low;
}
