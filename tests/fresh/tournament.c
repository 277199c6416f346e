// The iterated prisoner's dilemma: every strategy with a memory of two rounds meets every other one; points, and who copes best.
// A strategy is 17 bits: what it does first, and what after each of the 16 histories.
// run: -i n=4096 -i rounds=200 -i strategies=uniform:lo=0,hi=131072,seed=3
// test: -i n=40 -i rounds=50 -i strategies=uniform:lo=0,hi=131072,seed=3
// check: exact
typedef unsigned history; // two rounds, two bits each: mine, theirs

enum move { COOPERATE, DEFECT };

static enum move choose(int strategy, history h, int round) {
    return strategy >> (round == 0 ? 16 : (int)h) & 1 ? DEFECT : COOPERATE;
}

static void meet(int a, int b, int rounds, int *points_a, int *points_b) {
    static const int points[2][2] = {[COOPERATE] = {3, 0}, [DEFECT] = {5, 1}};
    history of_a = 0, of_b = 0;
    *points_a = *points_b = 0;
    for (int r = 0; r < rounds; r++) {
        enum move x = choose(a, of_a, r), y = choose(b, of_b, r);
        *points_a += points[x][y];
        *points_b += points[y][x];
        of_a = (of_a << 2 | (unsigned)x << 1 | (unsigned)y) & 15u;
        of_b = (of_b << 2 | (unsigned)y << 1 | (unsigned)x) & 15u;
    }
}

void tournament(int n, int rounds, const int strategies[n], int table[n][n], int total[n], int best[2]) {
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) {
            int x, y;
            meet(strategies[i], strategies[j], rounds, &x, &y);
            table[i][j] = x;
            if (i != j)
                table[j][i] = y;
        }
    int most = -1;
#pragma omp parallel for reduction(max : most)
    for (int i = 0; i < n; i++) {
        int sum = 0;
        for (int j = 0; j < n; j++)
            sum += table[i][j];
        total[i] = sum;
        most = sum > most ? sum : most;
    }
    int who = n;
#pragma omp parallel for reduction(min : who)
    for (int i = 0; i < n; i++)
        if (total[i] == most)
            who = i < who ? i : who;
    best[0] = most;
    best[1] = who;
}
