// points_apart.c - greedy choice of points none of which is near another chosen one, for each of some sets, and how many were refused
// because of the last one.
//
// run: -i sets=32 -i n=4096 -i x=uniform:lo=0,hi=8,seed=1 -i y=uniform:lo=0,hi=8,seed=2
// test: -i sets=3 -i n=600 -i x=uniform:lo=0,hi=8,seed=1 -i y=uniform:lo=0,hi=8,seed=2
// check: exact
// dispatches: 1
void apart(int sets, int n, const float x[sets][n], const float y[sets][n], int chosen[sets][n], int count[sets]) {
#pragma omp parallel for
    for (int s = 0; s < sets; s++) {
        int have = 0;
        for (int i = 0; i < n; i++) {
            int free = 1;
            for (int k = 0; k < have; k++) {
                int c = chosen[s][k];
                float dx = x[s][c] - x[s][i], dy = y[s][c] - y[s][i];
                if (dx * dx + dy * dy < 1.0f) {
                    free = 0;
                    break;
                }
            }
            if (free) chosen[s][have++] = i;
        }
        for (int k = have; k < n; k++)
            chosen[s][k] = -1;
        count[s] = have;
    }
}
