// A matrix times a vector, eight lanes an iteration, beside loops of one invocation an iteration.
// test: -i n=90 -i steps=5 -i w=uniform:lo=0,hi=50,seed=1 -i x=uniform:lo=0,hi=50,seed=2
// check: exact
// dispatches: 1
// barriers: 2 a step
void lanes_mixed(int n, int steps, const int w[n][n], int x[n], int y[n]) {
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            int sum = 0, most = 0;
#pragma omp simd reduction(+ : sum) reduction(max : most)
            for (int k = 0; k < n; k++) {
                sum += w[i][k] * x[k];
                most = w[i][k] > most ? w[i][k] : most;
            }
            int more = 0;
#pragma omp simd reduction(+ : more)
            for (int k = 0; k < n; k++)
                more += x[k] ^ i;
            y[i] = sum % 997 + most + more % 31;
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            x[i] = (y[i] + y[(i + 45) % n]) % 53;
    }
}
