// Critical sections of updates, in iterations and in threads of a region.
// test: -i n=100 -i x=uniform:lo=-50,hi=50,seed=1
// check: exact
void critical_sections(int n, const int x[n], int out[6], int bins[4]) {
    int sum = 0, most = -100;
    unsigned seen = 0;
    float half = 0.0f;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int v = x[i] * 2;
#pragma omp critical
        sum += v;
#pragma omp critical(extremes)
        {
            if (most < v) most = v;
            seen |= 1u << (v & 7);
        }
#pragma omp critical(bins) hint(2)
        {
            bins[x[i] & 3]++;
            half += 0.5f;
        }
    }
    out[0] = sum;
    out[1] = most;
    out[2] = (int)seen;
    out[3] = (int)(half * 2.0f);
    int total = 0, threads = 0;
#pragma omp parallel num_threads(4)
    {
        int mine = 0;
#pragma omp for nowait
        for (int i = 0; i < n; i++)
            mine += x[i];
#pragma omp critical
        {
            total += mine;
            threads++;
        }
    }
    out[4] = total;
    out[5] = threads;
}
