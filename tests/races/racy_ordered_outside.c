// The part before `ordered` touches what the ordered part touches.
// test: -i n=24
void f(int n, int a[n], int s[1]) {
#pragma omp parallel for ordered
    for (int i = 0; i < n; i++) {
        a[i] = s[0];
#pragma omp ordered
        s[0] += i;
    }
}
