// A counter that has the name which the message gives to the place of another.
// test: -i n=16
// error: 7:38: each takes its own by `#pragma omp atomic capture` before `at = k++;`
void f(int n, int x[n]) {
    int k = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i += 3) x[k++] = i;
    x[0] = k;
}
