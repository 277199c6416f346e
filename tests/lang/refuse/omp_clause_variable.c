// A clause that names what is not declared.
// test: -i n=16
// error: 5:40: undeclared identifier 'total'
void f(int n, float x[n]) {
#pragma omp parallel for reduction(+ : total)
    for (int i = 0; i < n; i++)
        x[i] = 1.0f;
}
