// lanes_left_inside.c - a loop inside of shared passes is left early: what it indexes behind that says nothing of how
// many passes there are.
//
// test: -i m=5 -i n=700 -i len=arange -i x=uniform:lo=-100,hi=100,seed=1 -i q=uniform:lo=0,hi=9,seed=3
// check: exact
void lanes_left_inside(int m, int n, const int len[m], const int x[m][n], const int q[64], int out[m]) {
#pragma omp parallel for
    for (int s = 0; s < m; s++) {
        int a = 0, end = len[s] * 170;
#pragma omp simd reduction(+ : a)
        for (int i = 0; i < end; i++) {
            for (int j = 0; j < 2; j++) {
                if (x[s][j] > -1000) {
                    if (i >= 64) break;
                    a++;
                }
                a += q[i];
            }
            a += x[s][i % 700];
        }
        out[s] = a;
    }
}
