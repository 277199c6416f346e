// What a loop of a region reduces, copies in or copies out is shared by the region's threads: not private there, and not reduced there, too.
// error: 12:31: reduction variable 's' must be shared in the parallel region around it, which reduces it: say so once, leave the clause out here or there
// error: 15:37: firstprivate variable 's' must be shared in the parallel region around it, which reduces it: use another variable here
// error: 22:29: lastprivate variable 's' must be shared in the parallel region around it: take it out of the region's own clause
// error: 25:31: reduction variable 'own' must be shared in the parallel region around it, where each thread has its own: declare it before the region
// test: -i n=16
void f(int n, int x[n], int out[1]) {
    int s = 1;
#pragma omp parallel reduction(+ : s)
    {
        s += 0;
#pragma omp for reduction(+ : s)
        for (int i = 0; i < n; i++)
            s += x[i];
#pragma omp for nowait firstprivate(s)
        for (int i = 0; i < n; i++)
            x[i] = s++;
    }
#pragma omp parallel private(s)
    {
        int own = 0;
#pragma omp for lastprivate(s)
        for (int i = 0; i < n; i++)
            s = x[i];
#pragma omp for reduction(+ : own)
        for (int i = 0; i < n; i++)
            own += x[i];
    }
    out[0] = s;
}
