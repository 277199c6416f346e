// Levels of a search, with atomics for the marks.
// test: -i n=8 -i to=1,2,3,4,5,6,7,0,1,2,3,4,5,6,7,0 -i level=1,9,9,9,9,9,9,9
void f(int n, const int to[n][2], int level[n]) {
    for (int l = 1; l < 5; l++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            int mine;
#pragma omp atomic read
            mine = level[i];
            if (mine == l)
                for (int k = 0; k < 2; k++) {
                    int t = to[i][k];
#pragma omp atomic compare
                    level[t] = level[t] > l + 1 ? l + 1 : level[t];
                }
        }
    }
}
