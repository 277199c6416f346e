// At least one pass, and a bound that a reduction moves.
// test: -i n=600 -i x=uniform:lo=0,hi=1000,seed=1
// check: exact
// dispatches: 1
// barriers: 2 a pass
void do_while(int n, int x[n], int y[n], int passes[1]) {
    int count = 0, odd;
    do {
        odd = 0;
#pragma omp parallel for reduction(+ : odd)
        for (int i = 0; i < n; i++) {
            y[i] = x[i] + x[(i + 300) % n] / 2;
            odd += y[i] & 1;
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            x[i] = (y[i] * 3 + odd) % 1009;
        count++;
    } while (odd % 8 != 5 && count < 30);
    passes[0] = count;
}
