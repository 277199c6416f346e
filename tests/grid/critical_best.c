// Who is the best, by `critical`, of iterations that become fewer: each leaves what it has in memory, and behind one
// barrier every workgroup finds the best itself.
// test: -i n=120 -i cost=uniform:lo=0,hi=50,seed=1
// check: exact
// dispatches: 1
// barriers: 2 a step
void critical_best(int n, int cost[n], int order[n], int at[n]) {
    for (int k = 0; k < n; k++) {
        int best = 1 << 30, place = n;
#pragma omp parallel for
        for (int i = k; i < n; i++) {
            int c = cost[i] ^ k;
#pragma omp critical
            if (c < best || (c == best && i < place)) {
                best = c;
                place = i;
            }
        }
        order[k] = best;
        at[k] = place;
#pragma omp parallel for
        for (int i = k + 1; i < n; i++)
            cost[i] = (i == place ? cost[k] : cost[i]) + (best + i) % 3;
    }
}
