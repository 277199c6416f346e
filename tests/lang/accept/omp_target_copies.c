// What `target` changes of scalars that no clause names is gone behind it; `map`, `defaultmap` and reductions have it back.
// test: -i n=70
// check: exact
#pragma omp declare target
static int seen;
#pragma omp end declare target

void target_copies(int n, int x[n], int out[8]) {
    int lost = 1, kept = 2, all = 3, one = 4, sum = 5, last = 6, i, j = 7;
#pragma omp target
    {
        lost = 50;
        for (i = 0; i < 3; i++)
            x[i] = lost + i;
    }
#pragma omp target map(tofrom : kept, x [0:n])
    {
        kept += 10;
        one += 10;
        x[3] = one;
    }
#pragma omp target defaultmap(tofrom : scalar)
    all += 10;
#pragma omp target teams map(tofrom : last, sum)
#pragma omp distribute parallel for private(j) reduction(+ : sum) lastprivate(last)
    for (i = 4; i < n; i++) {
        for (j = 0; j < i % 5; j++)
            sum += j;
        last = i * 2;
        x[i] = sum > 0 ? 1 : 1;
    }
#pragma omp target teams distribute parallel for map(tofrom : one)
    for (int k = 0; k < n; k++) {
#pragma omp atomic
        one++;
    }
#pragma omp target map(tofrom : seen)
    seen = n;
    out[0] = lost;
    out[1] = kept;
    out[2] = all;
    out[3] = one;
    out[4] = last;
    out[5] = j;
    out[6] = seen;
    out[7] = sum;
}
