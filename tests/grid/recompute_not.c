// Values of a reduction that stay those of a phase of their own: where the loop stores something else, too, and where one takes a loop to
// compute.
// test: -i n=600 -i steps=5 -i x=uniform:lo=0,hi=500,seed=1
// check: exact
// dispatches: 1
// barriers: 2 a step
static void change(int n, int from[n], int to[n], int with) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        to[i] = (from[(i * 7 + with) % n] * 3 + i % 5) % 211;
}

void recompute_not(int n, int steps, int x[n], int y[n], int seen[n], int found[2][steps]) {
    for (int t = 0; t < steps; t += 2) {
        int leader = n, other = n;
#pragma omp parallel for reduction(min : leader)
        for (int i = 0; i < n; i++) {
            if (x[i] % 61 == t && i < leader) leader = i;
            seen[i] += x[i] % 61 == t;
        }
        found[0][t] = leader;
        change(n, x, y, leader);
#pragma omp parallel for reduction(min : other)
        for (int i = 0; i < n; i++) {
            if (y[i] % 61 == t && i < other) other = i;
            seen[i] += y[i] % 61 == t;
        }
        change(n, y, x, other);
    }
    for (int t = 0; t < steps; t++) {
        int most = 0;
#pragma omp parallel for reduction(max : most)
        for (int i = 0; i < n; i++) {
            int sum = 0;
            for (int k = 0; k < 50; k++)
                sum += x[(i + k * k) % n] ^ k;
            most = sum > most ? sum : most;
        }
        found[1][t] = most;
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            x[i] = (x[i] + most) % 211;
    }
}
