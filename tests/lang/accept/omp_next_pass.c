// What a worksharing loop leaves in a thread's variable, used in the next pass of a loop around it, in front of where it is set.
// test: -i n=100
// check: exact
void f(int n, int x[n], int y[n], int z[n], int w[n]) {
#pragma omp parallel num_threads(3)
    {
        int last = -1, row[2] = {0, 0}, room = 0, t = 0;
        for (int k = 0; k < 3; k++) {
#pragma omp for
            for (int i = 0; i < n; i++)
                x[i] += last + row[i % 2];
            room = k; // in all threads
#pragma omp for
            for (int i = 0; i < n; i++)
                w[i] += room;
#pragma omp for
            for (int i = 0; i < n; i++) {
                last = i + k;
                room = i;
                row[0] = i;
                row[1] = room - k;
                y[i] = row[i % 2];
            }
        }
        int seen = 0;
        while (t < 4) {
#pragma omp for
            for (int i = 0; i < n; i++)
                z[i] += seen * (i + t);
#pragma omp for
            for (int i = 0; i < n; i++)
                seen = i - t;
            t++;
        }
    }
}
