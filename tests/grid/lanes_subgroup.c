// Iterations on lanes of a subgroup, each of which ends when its own values say so, beside loops of one invocation an iteration.
// test: -i n=90 -i steps=5 -i w=uniform:lo=0,hi=50,seed=1 -i x=uniform:lo=0,hi=50,seed=2
// check: exact
// dispatches: 1
// barriers: 2 a step
void lanes_subgroup(int n, int steps, const int w[n][7], int x[n], int y[n], int most[n]) {
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            int cells[7], sum = 0, top = 0;
            for (int k = 0; k < 7; k++)
                cells[k] = w[i][k] + x[(i + k) % n];
            for (int pass = 0; pass < 20; pass++) {
                int all = 0, high = 0;
#pragma omp simd reduction(+ : all) reduction(max : high)
                for (int k = 0; k < 7; k++) {
                    cells[k] = (cells[k] * 5 + k * pass + sum) & 255;
                    all += cells[k];
                    high = cells[k] > high ? cells[k] : high;
                }
                sum = all;
                top = high > top ? high : top;
                if (sum % 11 == i % 11) break;
            }
            y[i] = sum;
            most[i] = top;
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            x[i] = (y[i] + y[(i + 45) % n]) % 53;
    }
}
