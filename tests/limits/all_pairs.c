// Shortest ways between all pairs: a row of choices between loads of the condition.
// run: -i n=40 -i way=uniform:lo=0.5,hi=1.5,seed=3
// check: exact
void all_pairs(int n, float way[n][n]) {
    for (int over = 0; over < n; over++) {
#pragma omp parallel for
        for (int from = 0; from < n; from++)
            for (int to = 0; to < n; to++) {
                float there = way[from][over] + way[over][to];
                way[from][to] = there < way[from][to] ? there : way[from][to];
            }
    }
}
