// Steps that choose their arrays by the step's number: pointers, planes of one array, from another first step, an odd
// number of them, every third.
//
// run: -i n=500 -i a=uniform:seed=1 -i u=uniform:seed=2
// test: -i n=50 -i a=uniform:seed=1 -i u=uniform:seed=2
// check: near 1e-5
// dispatches: single 1
void step_parity(int n, float a[n], float b[n], float u[2][n], int seen[3][n]) {
    for (int s = 0; s < 7; s++) {
        const float *from = s % 2 == 0 ? a : b;
        float *to = s % 2 == 0 ? b : a;
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            to[i] = 0.25f * from[i - 1] + 0.5f * from[i] + 0.25f * from[i + 1];
    }
    for (int t = 1; t < 9; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            u[t % 2][i] = 0.5f * (u[(t + 1) % 2][i] + u[(t - 1) & 1][(i + 1) % n]);
    }
    for (int t = 2; t < 19; t += 3) {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            if (t % 2)
                seen[(t + 4) % 3][i] += t * i;
            else
                seen[(t & 3) == 2][i] -= seen[t % 3][i] & 7;
    }
}
