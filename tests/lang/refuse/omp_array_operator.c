// Arrays are not reduced by && and ||.
// test: -i n=16
// error: 5:41: this reduction of the array 'x' is not supported: integers can be reduced by + - * & | ^ min max
void f(int n, int x[n]) {
#pragma omp parallel for reduction(&& : x[:3])
    for (int i = 0; i < n; i++)
        x[i % 3] = x[i % 3] && i;
}
