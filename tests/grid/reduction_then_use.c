// A sum of all is what every iteration of the next loop needs: one barrier, since the partial sums of two steps lie in two halves.
// test: -i n=700 -i steps=6 -i x=uniform:lo=0,hi=1000,seed=1
// check: exact
// dispatches: 1
// barriers: 1 a step
void reduction_then_use(int n, int steps, int x[n], int sums[steps]) {
    for (int t = 0; t < steps; t++) {
        int sum = 0;
#pragma omp parallel for reduction(+ : sum)
        for (int i = 0; i < n; i++)
            sum += x[i];
        sums[t] = sum;
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            x[i] = (x[i] * 3 + sum) % 1009;
    }
}
