// All threads of a region change what they share: C has a race there. To set it to one value is nobody's harm.
// error: 13:9: 'count' is shared by all threads of the region, and each of them changes it here: put it under 'atomic' or 'single', or name it in private(...) or reduction(... : count)
// error: 14:9: 'count' is shared by all threads of the region
// error: 15:9: 'x' is shared by all threads of the region, and each of them changes it here: put it under 'atomic' or 'single'
// error: 16:9: 'x' is shared by all threads of the region
// error: 18:13: 'calls' is shared by all threads of the region
// test: -i n=8
static int calls;
void f(int n, int x[n]) {
    int count = 0, set = 0, mine;
#pragma omp parallel private(mine)
    {
        count++;
        count = 2 * count;
        x[n / 2] += 3;
        x[1] = x[1] * 2;
        if (n > 3) {
            calls += 1;
        }
        set = 3;
        x[0] = set;
        mine = 1;
        mine++;
#pragma omp atomic
        count += mine;
#pragma omp single
        count *= 2;
    }
#pragma omp parallel num_threads(1)
    count++;
}
