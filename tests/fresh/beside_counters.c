// Loops from below 0 and from above it, whose passes index arrays beside their counters: where these end data say, and
// what is left of rounds of some passes at once are passes from there to there, not from 0 to the arrays' size.
// run: -i n=60 -i m=200000 -i from=uniform:lo=0,hi=3,seed=3 -i w=uniform:lo=0,hi=9,seed=1 -i v=uniform:lo=0,hi=9,seed=2
// test: -i n=60 -i m=7000 -i from=uniform:lo=0,hi=3,seed=3 -i w=uniform:lo=0,hi=9,seed=1 -i v=uniform:lo=0,hi=9,seed=2
// check: exact
void beside_counters(int n, int m, const int from[m], const int w[n], const int v[n], int below[m], int above[m]) {
#pragma omp parallel for
    for (int r = 0; r < m; r++) {
        int s = 0, lo = from[r] - 5, hi = from[r] + 4;
        for (int i = lo; i < hi; i++)
            if (w[i + 5] > 3)
                s = (s * 3 + v[i + 5]) % 1009;
            else
                s ^= 5;
        below[r] = s;
    }
#pragma omp parallel for
    for (int r = 0; r < m; r++) {
        int s = 0, lo = from[r] + 7, hi = n + 7 - from[r];
        for (int i = lo; i < hi; i++)
            if (w[i + -7] > 3)
                s = (s * 3 + v[i + -7]) % 1009;
            else
                s ^= 5;
        above[r] = s;
    }
}
