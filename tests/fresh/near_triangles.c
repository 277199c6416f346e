// near_triangles.c - pairs in matrices that each iteration has to itself, in several forms: lanes share them as one loop,
// though no two rows have as many. The best pairs are searched for, of which several are equally good.
//
// test: -i m=19 -i a=uniform:lo=0,hi=60,seed=5
// check: exact
// dispatches: 1
enum { D = 21 };

void near_triangles(int m, const int a[m][D], int e[m][D][D], int pairs[m][6]) {
#pragma omp parallel for
    for (int q = 0; q < m; q++) {
        int x[D][D], t[D][D];
        for (int i = 0; i < D; i++)
            for (int j = 0; j < D; j++) {
                x[i][j] = (a[q][i] * (j + 3) + a[q][j]) % 23;
                t[i][j] = i - j;
            }
        for (int round = 0; round < 3; round++) {
            int least = 1000, r = -1, s = -1, most = -1000, u = -1, v = -1;
            for (int i = 0; i < D - 1; i++)
                for (int j = i + 1; j < D; j++)
                    if (t[j][i] % 5 != round && x[i][j] + x[j][i] < least) {
                        least = x[i][j] + x[j][i];
                        r = i;
                        s = j;
                    }
            for (int i = D - 1; i >= 0; i--)
                for (int j = i; j >= 0; j -= 2)
                    if (x[i][j] - t[j][i] > most) {
                        most = x[i][j] - t[j][i];
                        u = i;
                        v = j;
                    }
            for (int i = 0; i < D; i++)
                for (int j = 0; j <= i; j++)
                    if (i != r && j != s)
                        t[i][j] += x[j][i] * (u + 2) % 7;
                    else
                        for (int k = 0; k < D; k++)
                            t[i][j] += x[k][i] * x[j][k] % 3 + v;
            for (int i = 3; i < D; i += 2) {
                int half = i / 2;
                for (int j = D - 1; j > half; j--)
                    x[i][j] = (x[i][j] + t[j][half] + 400) % 31;
            }
            for (int i = 1; i < D - 1; i++) // a band
                for (int j = i - 1; j <= i + 1; j++)
                    t[i][j] = (t[i][j] * 5 + x[r][s] + j) % 97;
            for (int i = 0; i < D; i++) // most rows have none
                for (int j = 0; j < i - 15; j++)
                    x[i][j] += t[j][i] & 3;
            pairs[q][0] += r * 100 + s;
            pairs[q][1] = pairs[q][1] * 3 + u * 100 + v;
            pairs[q][2 + round] = least * 1000 + most;
        }
        for (int i = 0; i < D; i++)
            for (int j = 0; j < D; j++)
                e[q][i][j] = x[i][j] * 1000 + t[i][j];
    }
}
