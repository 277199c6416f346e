// Scalars that sequential code changes only under a condition, and which keep their value from round to round where it
// does nothing to them: the place of a hit, of the largest so far, of the longest run.
// run: -i n=100000 -i rounds=3 -i b=uniform:lo=-5,hi=30,seed=1
// test: -i n=2049 -i rounds=3 -i b=uniform:lo=-5,hi=30,seed=1
// check: exact
// dispatches: 1
void lone_kept(int n, int rounds, const int b[n], int o[n], int p[n], int z[5]) {
    int hit = -1, best = -1000, at = -1, longest = 0, run = 0, where = -1;
    for (int t = 0; t < rounds; t++) {
        int h = 0;
        for (int i = 0; i < n; i++) {
            h = h * h + b[i];
            if (t * 1000 + i == 7) hit = i;
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            o[i] += h + t;
        for (int i = 0; i < n; i++)
            if (b[i] > best) {
                best = b[i];
                at = i;
            }
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            p[i] += at;
        for (int i = 0; i < n; i++) {
            if (b[i] > 0)
                run++;
            else
                run = 0;
            if (run > longest) {
                longest = run;
                where = i;
            }
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            o[i] += i + longest;
    }
    z[0] = hit;
    z[1] = at;
    z[2] = where;
    z[3] = longest;
    z[4] = best;
}
