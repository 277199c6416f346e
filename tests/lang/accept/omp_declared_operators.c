// declare reduction by operators and min, for structs; numbers and arrays are reduced by the same ones as ever.
// test: -i n=200 -i x=uniform:lo=-9,hi=9,seed=4
// check: exact
typedef struct {
    int x, y;
} point;
struct range {
    int lo, hi;
};
static point added(point a, point b) {
    return (point){a.x + b.x, a.y + b.y};
}
#pragma omp declare reduction(+ : point : omp_out = added(omp_out, omp_in)) initializer(omp_priv = {0, 0})
#pragma omp declare reduction(| : struct range : omp_out.lo = omp_in.lo < omp_out.lo ? omp_in.lo : omp_out.lo, \
                                  omp_out.hi = omp_in.hi > omp_out.hi ? omp_in.hi : omp_out.hi)                \
    initializer(omp_priv = {1000, -1000})
#pragma omp declare reduction(min : point : omp_out = omp_in.x < omp_out.x ? omp_in : omp_out) \
    initializer(omp_priv = {1000, 0})

void sums(int n, const int x[n], int out[16]) {
    point all = {1, 2}, least = {1000, 0};
    struct range r = {0, 0};
    int sum = 0, bits = 0, low = 99, parts[4] = {0, 0, 0, 0};
#pragma omp parallel for reduction(+ : all, sum, parts[ : 4]) reduction(| : r, bits) reduction(min : least, low)
    for (int i = 0; i < n; i++) {
        all = added(all, (point){x[i], i});
        sum += x[i];
        parts[i % 4] += x[i];
        if (x[i] < r.lo) r.lo = x[i];
        if (x[i] > r.hi) r.hi = x[i];
        bits |= x[i] & 12;
        int key = (x[i] + 9) * n + i;
        if (key < least.x) least = (point){key, x[i]};
        low = x[i] < low ? x[i] : low;
    }
    int from[] = {all.x, all.y, r.lo, r.hi, sum, bits, least.x, least.y, low, parts[0], parts[1], parts[2], parts[3]};
    for (int k = 0; k < 13; k++)
        out[k] = from[k];
}
