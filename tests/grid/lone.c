// Sequential loops between parallel ones that leave nothing behind but memory: sums of prefixes, of which each pass needs the pass before,
// backwards, too, and with a guard; passes that are apart; beside them a loop that leaves a variable, and one that is left early.
// test: -i n=600 -i steps=6 -i x=uniform:lo=0,hi=1000,seed=1
// check: exact
// dispatches: 1
void lone(int n, int steps, int x[n], int below[n], int above[n], int half[n], int best[2]) {
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            x[i] = (x[i] * 5 + half[n - 1 - i] + below[(i * 7) % n] + t) % 1009;
        below[0] = x[0];
        for (int i = 1; i < n; i++)
            below[i] = (below[i - 1] + x[i]) % 30011;
        for (int i = n - 1 - t; i > 0; i -= 1)
            above[i - 1] = (above[i] * 3 + x[i]) % 3001;
        for (int i = 2 + t; i < n; i += 2)
            half[i] = (half[i - 2] + above[i]) % 509;
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            x[i] += above[n - 1 - i] % 7;
        for (int i = 0; i < n; i++)
            if (x[i] % 3 != t % 3) half[i] = x[i] / 2 + below[i] % 5;
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            below[i] += half[(i + 1) % n];
        int top = 0;
        for (int i = 0; i < n; i++) {
            if (below[i] < 0) break;
            top = below[i] > top ? below[i] : top;
            above[i] += top % 3;
        }
        best[t % 2] = top;
    }
}
