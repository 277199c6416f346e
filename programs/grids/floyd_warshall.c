// floyd_warshall.c - the lengths of the shortest ways between all pairs of places.
//
// Source: R. Floyd, "Algorithm 97: shortest path", 1962. length[i][j] is the length of the road from i to j at the
// start, where 0 means that there is none (and stands on the diagonal), and of the shortest way at the end, -1 where
// there is none. Step k allows ways through place k. Ways from k and to k cannot get shorter by passing through k, so
// row and column k are left alone, and no iteration reads what another one writes.
//
// One barrier a step: step k + 1 reads its row and column, which others wrote in step k, and writes what they read in
// it.
//
// run: -i n=1024 -i density=400 -i length=uniform:lo=0,hi=40000,seed=1
// test: -i n=24 -i density=60 -i length=uniform:lo=0,hi=400,seed=1
// check: exact
// dispatches: 1
// barriers: 1 a step

#define NO_WAY 0x3fffffff

// Of the lengths given, only those below `density` are roads.
void floyd_warshall(int n, int density, int length[n][n]) {
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (i == j)
                length[i][j] = 0;
            else if (length[i][j] == 0 || length[i][j] >= density)
                length[i][j] = NO_WAY;

    for (int k = 0; k < n; k++) {
#pragma omp parallel for collapse(2)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                if (i != k && j != k) {
                    int through = length[i][k] + length[k][j];
                    if (through < length[i][j]) length[i][j] = through;
                }
    }

#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (length[i][j] >= NO_WAY) length[i][j] = -1;
}
