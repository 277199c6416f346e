// while and do-while, break and continue in both, nested, conditions with side effects.
// test: -i n=64
// check: exact
void loops(int n, int out[n][5]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        unsigned x = (unsigned)i + 1u;
        int steps = 0;
        while (x != 1u) {
            x = x % 2u ? 3u * x + 1u : x / 2u;
            steps++;
        }
        out[i][0] = steps;
        int digits = 0, y = i;
        do {
            digits++;
            y /= 3;
        } while (y);
        out[i][1] = digits;
        int a = i + 1, b = 36;
        while (1) {
            if (a == b)
                break;
            if (a > b) {
                a -= b;
                continue;
            }
            b -= a;
        }
        out[i][2] = a;
        int k = 10, sum = 0;
        do {
            if (k % 2 == i % 2)
                continue; // goes to the condition
            sum += k;
        } while (--k > 3);
        out[i][3] = sum * 100 + k;
        int p = 0, q = 0;
        while (p++ < i % 5) {
            int r = 0;
            while (r < p) {
                if (r * p > 6)
                    break;
                q += r++;
            }
        }
        out[i][4] = q * 10 + p;
    }
}
