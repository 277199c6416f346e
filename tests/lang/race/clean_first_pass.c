// What a loop's first passes do not do: the shift is zero, the branch is not taken, the loop has been left.
// test: -i n=24 -i stop=zeros
// check: exact
void f(int n, int x[n], const int stop[n]) {
    int shift = 1, back = n;
    for (int t = 0; t < 4; t++) {
        if (stop[t] == 0) shift = n;
        if (stop[t] == 1) back = 1;
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            if (i >= back) x[i] += x[i - back];
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            if (i + shift < n) x[i] = x[i + shift] + 1;
    }
    for (int t = 0; t < 3; t++) {
        if (t == 1) break;
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            if (i + t < n) x[i] = x[i + t] + 1;
    }
    int width = 8;
    while (width > 4) {
#pragma omp parallel for
        for (int i = 0; i < 8; i++)
            if (i + width < n) x[i] += x[i + width];
        width /= 2;
    }
}
