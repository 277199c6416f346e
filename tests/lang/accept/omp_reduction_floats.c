// reduction of floats: + * min max, a sum inside a region whose value the next loop uses, and a largest value that begins
// with data, in loops of an iteration. The values have no rounding.
// test: -i n=600 -i x=arange
// check: exact
void reduce(int n, const float x[n], float out[7], float centred[n]) {
    float sum = 0.0f, product = 1.0f, low = x[0], high = x[0];
#pragma omp parallel for reduction(+ : sum) reduction(* : product) reduction(min : low) reduction(max : high)
    for (int i = 0; i < n; i++) {
        float v = x[i] * 0.25f - 3.0f;
        sum += v;
        product *= i % 64 == 0 ? 2.0f : 1.0f;
        low = v < low ? v : low;
        if (high < v)
            high = v;
    }
    out[0] = sum;
    out[1] = product;
    out[2] = low;
    out[3] = high;
    float total = 0.0f;
#pragma omp parallel
    {
#pragma omp for reduction(+ : total)
        for (int i = 0; i < n; i++)
            total += x[i];
#pragma omp for
        for (int i = 0; i < n; i++)
            centred[i] = x[i] * 2.0f - total;
    }
    out[4] = total;
    float top = x[1];
#pragma omp parallel for reduction(max : top)
    for (int i = 0; i < n / 8; i++)
        for (int k = 0; k < 8; k++)
            if (x[8 * i + k] > top)
                top = x[8 * i + k];
    out[6] = top;
}
