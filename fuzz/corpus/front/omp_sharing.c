// Data-sharing clauses: private, firstprivate, lastprivate, shared, default(none), default(shared).
// test: -i n=50
// check: exact
void sharing(int n, int out[n][3], int last[4]) {
    int base = 5, scratch = 0, end = -1, total = 7;
#pragma omp parallel for private(scratch) shared(out, n) firstprivate(base) lastprivate(end) default(none)
    for (int i = 0; i < n; i++) {
        scratch = i * 2;
        base += 1; // each iteration's thread has its own; it is set again before it is read
        base = 5 + i;
        out[i][0] = scratch + base;
        end = scratch + 1;
    }
    int i, k;
#pragma omp parallel for default(shared) private(k) lastprivate(i)
    for (i = 0; i < n; i++) {
        int sum = 0;
        for (k = 0; k < 4; k++)
            sum += k * i;
        out[i][1] = sum;
    }
#pragma omp parallel firstprivate(total)
    {
        total += 1;
#pragma omp for
        for (int j = 0; j < n; j++)
            out[j][2] = total * j;
    }
    last[0] = end;
    last[1] = i;
    last[2] = base;
    last[3] = total;
}
