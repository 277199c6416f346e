// Where the cells of a list begin, from counts that others update atomically: a pass stores an element and loads it
// again, and two arrays are stored; what stands in front stores an element of an array that the passes load others of.
//
// run: -i n=6000 -i x=uniform:lo=0,hi=3000,seed=1
// test: -i n=6000 -i x=uniform:lo=0,hi=3000,seed=1
// check: exact
// dispatches: 1
void scan_cells(int n, const int x[n], int start[3001], int fill[3000], int place[n], int first[3001]) {
#pragma omp parallel for
    for (int c = 0; c < 3000; c++)
        fill[c] = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        fill[x[i]]++;
    }
#pragma omp parallel for
    for (int c = 0; c < 3000; c++)
        first[c + 1] = fill[c] & 3;
    int total = 0;
    for (int c = 0; c < 3000; c++) {
        start[c] = total;
        total += fill[c];
        fill[c] = start[c];
    }
    start[3000] = total;
    first[0] = 7;
    for (int c = 0; c < 3000; c++)
        first[c + 1] += first[c];
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        place[i] = start[x[i]] + first[x[i]];
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        fill[x[i]]++;
    }
}
