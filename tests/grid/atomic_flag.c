// The same with a flag in memory that iterations set.
// test: -i n=300 -i label=uniform:lo=0,hi=100000,seed=1
// check: exact
// dispatches: 1
// barriers: 3 a pass
void atomic_flag(int n, int label[n], int next[n], int passes[1]) {
    int more = 1, count = 0;
    while (more) {
        more = 0;
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            int best = label[i];
            for (int k = -10; k <= 10; k++) {
                int at = i + k < 0 ? 0 : i + k >= n ? n - 1 : i + k;
                best = label[at] < best ? label[at] : best;
            }
            next[i] = best;
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            if (next[i] != label[i]) {
#pragma omp atomic write
                more = 1;
            }
            label[i] = next[i];
        }
        count++;
    }
    passes[0] = count;
}
