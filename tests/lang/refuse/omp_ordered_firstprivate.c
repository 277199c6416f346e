// The same by a clause.
// test: -i n=16
// error: 6:13: a loop that is made in order cannot use what each thread carries from one iteration to the next
void f(int n, int y[n]) {
    int mine = 3;
#pragma omp parallel for ordered firstprivate(mine) schedule(static) num_threads(4)
    for (int i = 0; i < n; i++) {
        mine++;
#pragma omp ordered
        y[i] = mine + (i > 0 ? y[i - 1] : 0);
    }
}
