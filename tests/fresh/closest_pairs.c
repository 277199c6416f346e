// The best pair of each set, and where it stands: searches in two loops, triangular ones and backwards, with values of
// which many are alike, so that the first has to be found.
// test: -i sets=7 -i n=40 -i place=uniform:lo=0,hi=13,seed=3 -i cost=uniform:lo=0,hi=5,seed=4
// check: exact
#define LAST 1 << 20

void closest_pairs(int sets, int n, const int place[sets][n], const int cost[sets][n][n], int first[sets][3],
                   int last[sets][3], int steps[sets][3]) {
#pragma omp parallel for
    for (int k = 0; k < sets; k++) {
        int best = LAST, a = -1, b = -1;
        for (int i = 0; i < n - 1; i++)
            for (int j = i + 1; j < n; j++) {
                int far = (place[k][i] - place[k][j]) * (place[k][i] - place[k][j]) + cost[k][i][j];
                if (far < best) {
                    best = far;
                    a = i;
                    b = j;
                }
            }
        first[k][0] = best;
        first[k][1] = a;
        first[k][2] = b;

        best = -1, a = -1, b = -1;
        for (int i = n - 1; i >= 0; i--)
            for (int j = 0; j < i; j += 2) {
                if (place[k][j] == 3) continue;
                int sum = place[k][i] + cost[k][i][j];
                if (sum > best) {
                    best = sum;
                    a = i;
                    b = i - j;
                }
            }
        last[k][0] = best;
        last[k][1] = a;
        last[k][2] = b;

        // where the last of equal ones counts
        best = LAST, a = -1, b = -1;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                if (cost[k][j][i] + place[k][i] <= best) {
                    best = cost[k][j][i] + place[k][i];
                    a = i;
                    b = j;
                }
        steps[k][0] = best;
        steps[k][1] = a;
        steps[k][2] = b;
    }
}
