// roof.c - as much arithmetic as a device can do: sixteen sums an iteration that do not wait for each other, a multiplication and an addition
// a pass each. What it reaches is the roof of bench/page.py's roofline; the other roof is the bandwidth that `whorl probe` measures.
//
// run: -i pop=1048576 -i passes=4000
// test: -i pop=256 -i passes=100
// check: rel 1e-4

enum { SUMS = 16 };

void roof(int pop, int passes, float y[pop]) {
#pragma omp parallel for
    for (int i = 0; i < pop; i++) {
        float sum[SUMS], total = 0.0f, factor = 0.5f + 0.25f * ((float)i / (float)pop);
        for (int k = 0; k < SUMS; k++)
            sum[k] = (float)k;
        for (int t = 0; t < passes; t++)
            for (int k = 0; k < SUMS; k++)
                sum[k] = sum[k] * factor + 0.125f;
        for (int k = 0; k < SUMS; k++)
            total += sum[k];
        y[i] = total;
    }
}
