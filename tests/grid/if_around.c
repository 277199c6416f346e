// Phases under conditions: on the counter, and on a sum that the other branch changed.
// test: -i n=600 -i steps=9 -i x=uniform:lo=0,hi=1000,seed=1
// check: exact
// dispatches: 1
// barriers: 2 a step, of three that are made one after the other, some of them in branches
void if_around(int n, int steps, int x[n], int y[n]) {
    int sum = 1;
    for (int t = 0; t < steps; t++) {
        if (t % 3 == 1) {
            sum = 0;
#pragma omp parallel for reduction(+ : sum)
            for (int i = 0; i < n; i++)
                sum += x[i] % 7;
        } else if (sum % 2 == 1) {
#pragma omp parallel for
            for (int i = 0; i < n; i++)
                y[i] = x[(i + 300) % n] + t;
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            x[i] = (x[i] * 3 + y[(i + 310) % n] + sum) % 1009;
    }
}
