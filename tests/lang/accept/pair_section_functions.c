// Sums of doubles and counts of 64 bits at file scope, which functions that a loop calls update.
// test: -fdouble=pair -i n=100 -i x=uniform:lo=0,hi=9,seed=1
// check: rel 1e-12
static double total, thirds; // in C sections and atomics do not exclude each other, so each has its own
static long long count, large;

static void note(double v) {
#pragma omp critical
    {
        total += v;
        count++;
    }
}

static void twice(double v) {
    note(v);
#pragma omp atomic
    thirds += v / 3;
}

void section_functions(int n, const int x[n], double out[3]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        note(x[i]);
        if (x[i] > 3) twice(0.1);
#pragma omp atomic
        large += 3000000000;
    }
    out[0] = total + thirds;
    out[1] = (double)count;
    out[2] = (double)large;
}
