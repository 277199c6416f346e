// knapsack.c - the greatest worth of things that fit into a sack, for every size of the sack.
//
// Source: R. Bellman, "Dynamic Programming", 1957; one row a thing, from the row of the things before it.
//
// run: -i things=500 -i room=100000 -i weight=uniform:lo=1,hi=400,seed=1 -i worth=uniform:lo=1,hi=1000,seed=2
// test: -i things=12 -i room=300 -i weight=uniform:lo=1,hi=60,seed=1 -i worth=uniform:lo=1,hi=1000,seed=2
// check: exact
// dispatches: 1
// barriers: 2 a thing
void knapsack(int things, int room, const int weight[things], const int worth[things], int best[room + 1]) {
    int before[room + 1];
#pragma omp parallel for
    for (int r = 0; r <= room; r++)
        best[r] = 0;
    for (int t = 0; t < things; t++) {
#pragma omp parallel for
        for (int r = 0; r <= room; r++)
            before[r] = best[r];
#pragma omp parallel for
        for (int r = weight[t]; r <= room; r++) {
            int with = before[r - weight[t]] + worth[t];
            if (with > before[r]) best[r] = with;
        }
    }
}
