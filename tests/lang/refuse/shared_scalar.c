// A parallel loop that assigns a variable of outside: reduction or private.
// test: -i n=16
// error: 8:9: 'last' is shared by all iterations of the parallel loop, and several of them may write it: declare it inside, or add private(last), or reduction(+ : last) where they add to it, or lastprivate(last) where what the last one sets is wanted behind the loop
void f(int n, float x[n]) {
    float last = 0.0f;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        last = x[i];
        x[i] = last * 2.0f;
    }
}
