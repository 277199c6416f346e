// Threadprivate variables in teams of the usual size, with other regions between them; under atomic and critical, by pointers that
// thread 0 took, in sections, in loops that threads run differently, in the lanes of a simd loop.
// test: -i n=1000
// check: exact
static int seen, most = -1, where = -1;
static unsigned bits;
static const int steps[3] = {5, 6, 7}; // the same for all, with the directive or without
#pragma omp threadprivate(seen, most, where, bits, steps)

static void note(int v, int i) {
    if (v > most) {
        most = v;
        where = i;
    }
}

void mixed(int n, int x[n], int y[n], int out[16], int z[n][8]) {
    int *of_master = &seen;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        x[i] = (i * 7919) % 1009;
        note(x[i], i);
        bits ^= (unsigned)x[i];
        seen++;
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        y[i] = x[i] + steps[i % 3];
    int best = -1, at = -1;
    unsigned all = 0;
#pragma omp parallel reduction(^ : all)
    {
        all ^= bits;
#pragma omp atomic
        out[0] += seen;
#pragma omp critical
        {
            if (most > best || (most == best && where < at)) {
                best = most;
                at = where;
            }
        }
#pragma omp barrier
#pragma omp atomic
        *of_master += 1;
#pragma omp barrier
        while (seen % 5)
            seen++;
    }
    out[1] = best;
    out[2] = at;
    out[3] = (int)all;
    out[4] = seen % 5;
#pragma omp parallel sections
    {
#pragma omp section
        out[5] = seen * 0 + 5;
#pragma omp section
        {
            seen = 77;
            out[6] = seen + 1;
        }
    }
    int sum = 0;
    seen = 2;
#pragma omp parallel for reduction(+ : sum) copyin(seen)
    for (int i = 0; i < n; i++) {
        bits = 0;
#pragma omp simd
        for (int k = 0; k < 8; k++)
            z[i][k] = (seen > 1) + k;
        for (int k = 0; k < 5; k++)
            bits += (unsigned)k * (unsigned)i;
#pragma omp critical
        {
            seen++;
            out[7]++;
        }
        sum += (int)bits;
    }
    out[8] = sum;
}
