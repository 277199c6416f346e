// A counter that gives each iteration its place in an array.
// test: -i n=16
// error: 7:38: 'c' is shared by all iterations of the parallel loop, and several of them may take the same place by it: each takes its own by `#pragma omp atomic capture` before `k = c++;`, in any order; a list in order is made by a loop without `omp`
void f(int n, int x[n]) {
    int c = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i += 3) x[c++] = i;
    x[0] = c;
}
