// Breadth-first search with a list of the nodes that were found last: how long it is decides how many iterations the next step has.
// test: -i n=3000 -i to=uniform:lo=0,hi=3000,seed=5 -i level=const:0 -i sizes=const:0
// check: exact
// dispatches: 1
enum { EDGES = 3, DEPTHS = 64 };

void bfs_frontier(int n, const int to[n][EDGES], int level[n], unsigned sizes[DEPTHS]) {
    int list[2][n], seen[n];
    unsigned found = 1, next;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        seen[i] = i == 0;
        level[i] = i == 0 ? 1 : 0;
    }
    list[0][0] = 0;
    for (int depth = 1; found > 0; depth++) {
        sizes[depth % DEPTHS] = found;
        next = 0;
#pragma omp parallel for
        for (unsigned i = 0; i < found; i++)
            for (int e = 0; e < EDGES; e++) {
                int at = to[list[(depth - 1) % 2][i]][e], old;
#pragma omp atomic capture
                {
                    old = seen[at];
                    seen[at] |= 1;
                }
                if (old == 0) {
                    unsigned place;
#pragma omp atomic capture
                    place = next++;
                    level[at] = depth + 1;
                    list[depth % 2][place] = at;
                }
            }
        found = next;
    }
}
