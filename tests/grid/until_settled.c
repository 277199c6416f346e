// until_settled.c - loops that end when data say so around loops that lanes share: with a bound of rounds, left in the
// middle, passes that are cut short, tests behind the pass, loops of that kind in each other, and one without a bound.
// How many passes each iteration makes is its own affair.
//
// run: -i n=600 -i m=2048 -i x=uniform:lo=0,hi=4096,seed=1
// test: -i n=20 -i m=100 -i x=uniform:lo=0,hi=4096,seed=1
// check: exact
// dispatches: 1
void until_settled(int n, int m, const int x[n][m], int y[n][m], int rounds[n][8], int column[m]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int sum = 1 << 30, round = 0;
        for (int k = 0; k < m; k++)
            y[i][k] = x[i][k];
        while (sum > m * (3 + i % 40) && round < 20) {
            sum = 0;
            for (int k = 0; k < m; k++) {
                y[i][k] -= y[i][k] / 4;
                sum += y[i][k];
            }
            round++;
        }
        rounds[i][0] = round;
        rounds[i][1] = sum;

        int cut = 0, pass, most = 0;
        for (pass = 0; pass < 25; pass++) {
            int odd = 0;
            for (int k = 0; k < m; k++)
                odd += (y[i][k] + pass * k) % 7 == 3;
            if (odd > m / 5) {
                most = odd;
                break;
            }
            if (odd % 3 != i % 3) {
                cut++;
                if (odd % 2) continue;
                cut += 10;
                if (pass > 20) break;
            }
            for (int k = 0; k < m; k++)
                y[i][k] += pass % 5 + (k + i) % 3;
        }
        rounds[i][2] = pass * 100 + cut;
        rounds[i][3] = most;

        int again = 0, left;
        do {
            left = 0;
            for (int k = 0; k < m; k++) {
                if (y[i][k] > 12 + i % 7) y[i][k] /= 2;
                left += y[i][k] > 12;
            }
        } while (left > i % 5 && ++again < 9);
        rounds[i][4] = again * 1000 + left;

        int turns = 0;
        for (int a = 0; a < 6; a++) {
            int b = 5;
            while (b > 0) {
                int top = 0;
                for (int k = 0; k < m; k++)
                    top = y[i][k] > top ? y[i][k] : top;
                if (top < 14) {
                    if (top % 2 == 0) {
                        turns += 100;
                        break;
                    }
                } else if (a > 3)
                    break;
                else
                    turns++;
                for (int k = 0; k < m; k++)
                    y[i][k] = y[i][k] == top ? y[i][k] / 3 : y[i][k] + (k + a) % 2;
                b--;
            }
            if (turns > 300 + i) break;
        }
        rounds[i][5] = turns;

        sum = 0;
        for (int k = 0; k < m; k++)
            sum += y[i][k] * (k + 1);
        rounds[i][6] = sum;
        int best = -1, where = -1; // passes of lanes, each with such a loop of its own
        for (int k = 0; k < m; k++) {
            int ones = 0;
            while (ones < 9 && (x[i][k] >> ones & 1))
                ones++;
            if (ones > best) {
                best = ones;
                where = k;
            }
        }
        rounds[i][7] = best * 10000 + where;

        int open = 1; // nobody knows how often: one invocation makes it
        while (open) {
            open = 0;
            for (int k = 0; k < m; k++)
                if (y[i][k] > 3) {
                    y[i][k] -= 2 + k % 2;
                    open = 1;
                }
        }
    }
#pragma omp parallel for
    for (int k = 0; k < m; k++) {
        column[k] = 0;
        for (int i = 0; i < n; i++)
            column[k] += y[i][k];
    }
}
