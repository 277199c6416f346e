// Rows, of which each pass has small arrays of its own: passes of the first loop are iterations, of the second lanes
// share them. Of the third they are not: what a pass leaves in the array the next one reads.
//
// run: -i n=64 -i x=uniform:lo=0,hi=100
// test: -i n=3 -i x=uniform:lo=0,hi=100
// check: near 1e-5
// dispatches: 1
void local_pass(int n, const int x[n][200], int middle[n][200], float sum[n], int trail[n][200]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 200; k++) {
            int list[9], count = 0;
            for (int d = -4; d <= 4; d++) {
                int value = x[i][(k + d + 200) % 200], at = count++;
                while (at > 0 && list[at - 1] > value) {
                    list[at] = list[at - 1];
                    at--;
                }
                list[at] = value;
            }
            middle[i][k] = list[4];
        }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float all = 0;
        for (int k = 0; k < 200; k++) {
            float stack[40];
            int top = 0;
            for (int d = 0; d < 20; d++) {
                if (x[i][(k * 7 + d) % 200] % 3)
                    stack[top++] = (float)x[i][(k + d) % 200];
                else if (top > 1)
                    top--, stack[top - 1] = 0.5f * stack[top - 1] + stack[top];
            }
            all += top ? stack[top - 1] : 0;
        }
        sum[i] = all;
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int seen[101];
        for (int k = 0; k < 101; k++)
            seen[k] = -1;
        for (int k = 0; k < 200; k++) {
            trail[i][k] = seen[x[i][k]];
            seen[x[i][k]] = k;
        }
    }
}
