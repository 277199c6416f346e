// levels_trades.c - prices from returns, the peak so far and when it was, the deepest fall from it and its place, and how
// often a fast mean crosses a slow one; the last price at which it did. All in whole steps, so that no sum is rounded.
//
// run: -i n=1000000 -i m=8 -i move=uniform:lo=-8,hi=9,seed=3
// test: -i n=2777 -i m=3 -i move=uniform:lo=-8,hi=9,seed=3
// check: exact
void levels_trades(int n, int m, const int move[m][n], float price[m][n], int when[m][3], float level[m][3]) {
#pragma omp parallel for
    for (int r = 0; r < m; r++) {
        float cum = 0, peak = 0, fall = 0, crossed_at = 0;
        int fast = 0, slow = 0, above = 0, crossings = 0, peak_day = 0, worst_day = 0;
        for (int t = 0; t < n; t++) {
            cum += (float)move[r][t] * 0.25f;
            if (cum > peak) {
                peak = cum;
                peak_day = t;
            }
            if (peak - cum > fall) {
                fall = peak - cum;
                worst_day = t;
            }
            fast += move[r][t] - (t >= 8 ? move[r][t - 8] : 0);
            slow += move[r][t] - (t >= 32 ? move[r][t - 32] : 0);
            int now = fast * 4 > slow;
            if (now != above) {
                crossings++;
                crossed_at = cum;
            }
            above = now;
            price[r][t] = cum - peak;
        }
        when[r][0] = peak_day;
        when[r][1] = worst_day;
        when[r][2] = crossings;
        level[r][0] = peak;
        level[r][1] = fall;
        level[r][2] = crossed_at;
    }
}
