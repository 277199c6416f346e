// What each thread has counted by itself, in a section that the threads come to in order: the loop would be one thread's.
// test: -i n=16
// error: 13:13: a loop that is made in order cannot use what differs between threads
void f(int n, const int x[n], int y[2]) {
    int sum = 0;
#pragma omp parallel num_threads(4)
    {
        int mine = 0;
#pragma omp for schedule(static)
        for (int i = 0; i < n; i++)
            if (x[i] > 0)
                mine++;
#pragma omp for ordered schedule(static, 1)
        for (int t = 0; t < 4; t++) {
#pragma omp ordered
            sum = sum * 10 + mine;
        }
    }
    y[0] = sum;
}
