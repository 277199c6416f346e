// Several errors of one file are told in one go.
// test: -i n=16
// error: 8:16: undeclared identifier 'a'
// error: 9:17: undeclared identifier 'b'
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        x[i] = a;
        x[i] += b;
    }
}
