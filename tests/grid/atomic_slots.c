// Each iteration draws a number of its own from a counter that all share, and is counted under it.
// test: -i n=700 -i x=uniform:lo=0,hi=10000,seed=1
// check: exact
// dispatches: 1
// barriers: 1 in all
void atomic_slots(int n, const int x[n], int taken[n], int next[1]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        if (x[i] % 4 != 0) {
            int slot;
#pragma omp atomic capture
            slot = next[0]++;
#pragma omp atomic
            taken[slot % 5] += 1;
        }
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        taken[i] = taken[i] * 3 + next[0];
}
