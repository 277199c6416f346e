// A pointer without a size that is used by constants alone has as many elements as these say: results of a few numbers,
// one struct, words that iterations add to.
// test: -i n=40 -i x=uniform:lo=-1,hi=1,seed=2 -i first=const:3
// check: near 1e-5
struct range {
    float low, high;
};

void out_elements(int n, const float x[n], const int *first, int *count, float *sums, struct range *range,
                  unsigned long long *total) {
    int above = 0;
    float sum = 0.0f, low = x[0], high = x[0];
#pragma omp parallel for reduction(+ : above, sum) reduction(min : low) reduction(max : high)
    for (int i = first[0]; i < n; i++) {
        above += x[i] > 0.0f;
        sum += x[i];
        low = x[i] < low ? x[i] : low;
        high = x[i] > high ? x[i] : high;
    }
    *count = above;
    sums[0] = sum;
    sums[3] = sum / (float)n;
    range->low = low;
    (*range).high = high;
    *total = 5000000000ull + (unsigned long long)above;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        if (x[i] > 0.5f) {
#pragma omp atomic
            count[1]++;
        }
}
