// Levels of a search, with plain marks.
// test: -i n=8 -i to=1,2,3,4,5,6,7,0,1,2,3,4,5,6,7,0 -i level=1,0,0,0,0,0,0,0
void f(int n, const int to[n][2], int level[n]) {
    for (int l = 1; l < 5; l++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            if (level[i] == l)
                for (int k = 0; k < 2; k++)
                    if (level[to[i][k]] == 0) level[to[i][k]] = l + 1;
    }
}
