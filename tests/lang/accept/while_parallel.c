// Loops around parallel loops that end when the data say so: while, do, for (;;), break, continue and an early return; arrays and
// scalars in conditions, flags set by a reduction.
// test: -i n=100
// check: exact
static int halve(int n, int x[n]) { // 1: something changed
    int changed = 0;
#pragma omp parallel for reduction(|| : changed)
    for (int i = 0; i < n; i++)
        if (x[i] > i % 7) {
            x[i] /= 2;
            changed = 1;
        }
    return changed;
}

void loops(int n, int x[n], int y[n], int z[n], int residual[1], int log[12]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        x[i] = 1000 + i * i;
        y[i] = i * 37 % 101;
    }
    int passes = 0;
    while (halve(n, x)) // the flag of a function
        passes++;
    log[0] = passes;

    int sum, rounds = 0; // do, by a sum
    do {
        sum = 0;
#pragma omp parallel for reduction(+ : sum)
        for (int i = 0; i < n; i++) {
            y[i] = y[i] * 3 / 4;
            sum += y[i];
        }
        rounds++;
    } while (sum > 50 && rounds < 40);
    log[1] = sum;
    log[2] = rounds;

    residual[0] = 500; // an array element in the condition
    while (residual[0] > 20) {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            z[i] += residual[0] % (i + 1);
        residual[0] = residual[0] * 2 / 3 + z[3] % 2;
    }

    for (int t = 0;; t++) { // break and continue
        int most = 0;
        if (t % 3 == 1) continue;
#pragma omp parallel for reduction(max : most)
        for (int i = 0; i < n; i++) {
            z[i] += t * i % 5;
            most = z[i] > most ? z[i] : most;
        }
        log[3] = t;
        if (most > 900) break;
        if (t % 2) continue;
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            z[i] += 3;
        log[4]++;
    }

    int t;
    for (t = 0; t < 30; t += 2) { // a counted loop that is left
        if (z[5] > 960) break;
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            z[i] += i % 9 + t;
    }
    log[5] = t;

    for (int k = 1; k < 6; k++) { // bounds that the program computes
        int inner = z[k] % 4 + 1;
        for (int j = 0; j < inner; j++) {
            if (j == 2) continue;
#pragma omp parallel for
            for (int i = 0; i < n; i++)
                z[i] += j * k;
        }
    }

    for (int k = 0; k < 10; k++) { // out of two loops at once
        int bad = 0;
        for (int j = 0; j < 3; j++) {
#pragma omp parallel for reduction(+ : bad)
            for (int i = 0; i < n; i++)
                bad += z[i] % 11 == j + k;
            if (bad > 25) {
                log[6] = k * 10 + j;
                log[7] = bad;
                return;
            }
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            z[i] += 7;
    }
    log[8] = 1;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        z[i] = -1;
}
