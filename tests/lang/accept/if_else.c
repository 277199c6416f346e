// if, else if, else, nested, with and without braces; an empty branch.
// test: -i n=64
// check: exact
void classify(int n, int out[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int x = i * 7 % 23 - 11;
        int r;
        if (x < -5)
            r = -2;
        else if (x < 0)
            r = -1;
        else if (x == 0) {
            r = 0;
        } else {
            r = 1;
            if (x > 5) {
                if (x % 2)
                    r = 2;
                else
                    r = 3;
            }
        }
        if (r == 1) {
        } else
            r *= 10;
        out[i] = r;
    }
}
