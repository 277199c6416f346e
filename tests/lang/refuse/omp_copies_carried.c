// A copy that a loop of a region makes for each thread, and that its iterations change and go on with.
// error: 5:9: each thread carries 's' from one iteration of a worksharing loop to the next: firstprivate belongs on the `parallel` around the loop
// test: -i n=16
void f(int n, int x[n]) {
    int s = 1;
#pragma omp parallel
    {
#pragma omp for firstprivate(s)
        for (int i = 0; i < n; i++)
            x[i] = s++;
    }
}
