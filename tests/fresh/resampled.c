// resampled.c - particles that are drawn again by their weights' sums so far when few carry most: sequential code under a
// condition of a time loop, between parallel loops. Weights are whole numbers, so that sums have no order.
//
// run: -i n=65536 -i steps=20 -i shift=uniform:lo=0,hi=999,seed=1
// test: -i n=3000 -i steps=4 -i shift=uniform:lo=0,hi=999,seed=1
// check: exact
void resampled(int n, int steps, const int shift[steps], int x[n], int drawn[steps]) {
    int w[n], sum_to[n], next[n];
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] = i * 37 % 101;
    for (int t = 0; t < steps; t++) {
        int most = 0, all = 0;
        drawn[t] = -1;
#pragma omp parallel for reduction(max : most) reduction(+ : all)
        for (int i = 0; i < n; i++) {
            x[i] = (x[i] * 5 + shift[t] + i % 7) % 1009;
            w[i] = 1 + x[i] * x[i] % 50;
            most = w[i] > most ? w[i] : most;
            all += w[i];
        }
        if (t % 2 == 0 && most > 40) {
            int run = 0, large = 0;
            for (int i = 0; i < n; i++) {
                run += w[i];
                large += w[i] > 45;
                sum_to[i] = run;
            }
            drawn[t] = large;
#pragma omp parallel for
            for (int i = 0; i < n; i++) {
                int want = (int)((long long)i * run / n), lo = 0, hi = n - 1;
                while (lo < hi) {
                    int mid = (lo + hi) / 2;
                    if (sum_to[mid] < want)
                        lo = mid + 1;
                    else
                        hi = mid;
                }
                next[i] = x[lo];
            }
#pragma omp parallel for
            for (int i = 0; i < n; i++)
                x[i] = next[i];
        } else if (all % 3 == 0) {
            for (int i = 1; i < n; i++)
                w[i] += w[i - 1];
#pragma omp parallel for
            for (int i = 0; i < n; i++)
                x[i] = (x[i] + w[i]) % 1009;
        }
    }
}
